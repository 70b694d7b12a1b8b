#!/usr/bin/env bash
#
# Makes every file of Fixtures/media/ from ffmpeg's synthetic sources, then has
# manifest.py describe and check them in Fixtures/manifest.json.
#
# Usage: Fixtures/generate.sh        (from any directory, no arguments)
#
# Nothing is downloaded and nothing is recorded: pictures come from testsrc2 and
# its relatives, sound from sine, text from this script. Encoders run on one
# thread with their bitexact switches on, so a second run with the same ffmpeg
# build on the same kind of processor writes the same bytes. Another version of
# ffmpeg or of an encoder may write others, which is why manifest.json names the
# version that was used and why the outputs are committed.
#
# The layout matters to the player under test: libVLC attaches subtitle files
# whose name resembles the movie's, looked for beside the movie and in folders
# called "subtitles" and "subs". The one loose subtitle file therefore lives in
# captions/, with no movie beside it.

set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
media="$here/media"

need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "generate.sh: $1 was not found. Install the package \"$2\" (Debian and Homebrew alike)." >&2
  exit 1
}
need ffmpeg ffmpeg
need ffprobe ffmpeg
need python3 python3

encoders="$(ffmpeg -hide_banner -encoders 2>/dev/null)"
for encoder in libx264 libx265 libvpx-vp9 libopus aac ac3 mp2 dca mjpeg srt; do
  if ! grep -q " $encoder " <<<"$encoders"; then
    echo "generate.sh: this ffmpeg has no $encoder encoder. Install a complete build (Debian's package \"ffmpeg\" is one)." >&2
    exit 1
  fi
done

mkdir -p "$media/captions" "$media/broken"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# One quiet, repeatable ffmpeg: `make OUTPUT ARGUMENT...`.
make() {
  local output="$1"
  shift
  ffmpeg -hide_banner -nostdin -loglevel error -y "$@" \
    -threads 1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact "$output"
  echo "  ${output#"$here/"}"
}

# The two-second sources: a moving test card, and the A above middle C.
picture=(-f lavfi -i "testsrc2=size=320x240:rate=25:duration=2")
sound=(-f lavfi -i "sine=frequency=440:sample_rate=48000:duration=2")
h264=(-c:v libx264 -preset veryslow -crf 30 -g 25 -keyint_min 25 -sc_threshold 0 -pix_fmt yuv420p)
clean=(-map_metadata -1)
# Transport streams whose clock starts a tenth of a second before the picture; by
# default it is 0.7 s, which libVLC counts as part of the length.
ts=(-f mpegts -muxdelay 0.1 -muxpreload 0.1)
stereo=(-ar 48000 -ac 2)

echo "Two-second files:"

# H.264 and AAC in MP4, the index (moov) last: truncated.mp4 depends on that.
make "$media/base.mp4" "${picture[@]}" "${sound[@]}" "${clean[@]}" \
  "${h264[@]}" -c:a aac -b:a 96k "${stereo[@]}" \
  -metadata title="SwiftVLC Test Card" -metadata artist="SwiftVLC Fixtures"

base=(-i "$media/base.mp4")
# The movie's H.264 unchanged, beside newly encoded sound.
dubbed=("${base[@]}" "${sound[@]}" "${clean[@]}" -map 0:v -map 1:a -c:v copy)

# The very packets of base.mp4 in other wrappers. Matroska stores H.264 as MP4
# does, so no bitstream filter is involved and manifest.py compares the hashes.
make "$media/h264_aac.mkv" "${base[@]}" "${clean[@]}" -c copy \
  -metadata title="SwiftVLC Test Card" -metadata artist="SwiftVLC Fixtures"
make "$media/h264_aac.flv" "${base[@]}" "${clean[@]}" -c copy
make "$media/h264_aac.ts" "${base[@]}" "${clean[@]}" -c copy "${ts[@]}"

make "$media/vp9_opus.webm" "${picture[@]}" "${sound[@]}" "${clean[@]}" \
  -c:v libvpx-vp9 -b:v 0 -crf 45 -deadline good -cpu-used 2 -row-mt 0 -g 25 -pix_fmt yuv420p \
  -c:a libopus -b:a 64k "${stereo[@]}"
make "$media/hevc_aac.ts" "${picture[@]}" "${sound[@]}" "${clean[@]}" \
  -c:v libx265 -preset medium -crf 32 -pix_fmt yuv420p \
  -x265-params "pools=none:frame-threads=1:wpp=0:keyint=25:min-keyint=25:scenecut=0:info=0:log-level=error" \
  -c:a aac -b:a 96k "${stereo[@]}" "${ts[@]}"

make "$media/h264_ac3.mp4" "${dubbed[@]}" -c:a ac3 -b:a 128k "${stereo[@]}"
make "$media/h264_mp2.ts" "${dubbed[@]}" -c:a mp2 -b:a 128k "${stereo[@]}" "${ts[@]}"
make "$media/h264_opus.ts" "${dubbed[@]}" -c:a libopus -b:a 64k "${stereo[@]}" "${ts[@]}"

# DTS twice. The Blu-ray flavour (192-byte packets, an HDMV registration) says
# what its stream type 0x82 means; the plain flavour uses the number without
# saying so, and libVLC 3 reads it as SCTE-27 subtitles.
dts=(-c:a dca -strict -2 -b:a 384k "${stereo[@]}" "${ts[@]}")
make "$media/h264_dts.ts" "${dubbed[@]}" "${dts[@]}" -mpegts_m2ts_mode 1
make "$media/h264_dts_plain.ts" "${dubbed[@]}" "${dts[@]}" -mpegts_m2ts_mode 0

make "$media/silence.wav" -f lavfi -i "anullsrc=channel_layout=mono:sample_rate=44100:duration=2" \
  "${clean[@]}" -c:a pcm_s16le

echo "The tour:"

# Writes an SRT with two cues per ten-second chapter, one second of pause
# between them: `cues FILE TEXT...`, twelve texts.
cues() {
  local file="$1" index=0 start
  shift
  : >"$file"
  for text in "$@"; do
    start=$((index * 5))
    index=$((index + 1))
    printf '%d\n00:00:%02d,500 --> 00:00:%02d,500\n%s\n\n' \
      "$index" "$start" "$((start + 4))" "$text" >>"$file"
  done
}
cues "$scratch/eng.srt" \
  "Welcome to the tour." "It lasts exactly one minute." \
  "The harbour opens at dawn." "Boats leave with the tide." \
  "The market is full of voices." "Everything here has a price." \
  "The old town climbs the hill." "Every street has its stairs." \
  "From the tower you see the sea." "The horizon is perfectly straight." \
  "The tour ends here." "Thank you, and goodbye."
cues "$scratch/fra.srt" \
  "Bienvenue dans la visite." "Elle dure exactement une minute." \
  "Le port s’éveille à l’aube." "Les bateaux partent avec la marée." \
  "Le marché est plein de voix." "Ici, tout a un prix." \
  "La vieille ville gravit la colline." "Chaque rue a ses escaliers." \
  "De la tour, on voit la mer." "L’horizon est parfaitement droit." \
  "La visite s’achève ici." "Merci, et au revoir."
cues "$scratch/ara.srt" \
  "مرحبًا بكم في الجولة." "تستغرق الجولة دقيقة واحدة بالضبط." \
  "يفتح الميناء عند الفجر." "تغادر القوارب مع المدّ." \
  "السوق مليء بالأصوات." "كل شيء هنا له ثمن." \
  "تصعد المدينة القديمة التل." "لكل شارع درجاته." \
  "من البرج ترى البحر." "الأفق مستقيم تمامًا." \
  "تنتهي الجولة هنا." "شكرًا لكم، وإلى اللقاء."

{
  echo ";FFMETADATA1"
  start=0
  for title in "Arrival" "The Harbour" "The Market" "The Old Town" "The Tower" "Departure"; do
    printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=%d\nEND=%d\ntitle=%s\n' "$start" "$((start + 10000))" "$title"
    start=$((start + 10000))
  done
} >"$scratch/chapters.txt"

ffmpeg -hide_banner -nostdin -loglevel error -y \
  -f lavfi -i "testsrc2=size=240x240:rate=1:duration=1" -frames:v 1 \
  -threads 1 -fflags +bitexact -flags:v +bitexact -c:v mjpeg -q:v 6 -pix_fmt yuvj420p "$scratch/cover.jpg"

# No -map_metadata -1 here: it would drop the chapters' names as well, and none
# of these inputs carries anything else.
tour_h264=(-preset slower -g 50 -keyint_min 50 -sc_threshold 0 -pix_fmt yuv420p)
make "$media/tour.mkv" \
  -f lavfi -i "testsrc2=size=320x240:rate=25:duration=60" \
  -f lavfi -i "testsrc=size=160x120:rate=25:duration=60" \
  -f lavfi -i "testsrc2=size=160x120:rate=25:duration=60" \
  -f lavfi -i "sine=frequency=440:sample_rate=48000:duration=60" \
  -f lavfi -i "sine=frequency=550:sample_rate=48000:duration=60" \
  -f lavfi -i "sine=frequency=660:sample_rate=48000:duration=60" \
  -i "$scratch/eng.srt" -i "$scratch/fra.srt" -i "$scratch/ara.srt" \
  -f ffmetadata -i "$scratch/chapters.txt" \
  -map 0:v -map 1:v -map 2:v -map 3:a -map 4:a -map 5:a -map 6:s -map 7:s -map 8:s \
  -map_chapters 9 \
  -c:v:0 libx264 -b:v:0 110k -maxrate:v:0 160k -bufsize:v:0 320k \
  -c:v:1 libx264 -b:v:1 24k -maxrate:v:1 40k -bufsize:v:1 80k "${tour_h264[@]}" \
  -c:v:2 libvpx-vp9 -b:v:2 40k -deadline good -cpu-used 4 -row-mt 0 \
  -c:a libopus -b:a 24k -ac 1 -c:s srt \
  -metadata title="The Tour" -metadata artist="SwiftVLC Fixtures" \
  -metadata:s:v:0 title="Main" -metadata:s:v:1 title="Small" -metadata:s:v:2 title="Small VP9" \
  -metadata:s:a:0 language=eng -metadata:s:a:0 title="English" \
  -metadata:s:a:1 language=fra -metadata:s:a:1 title="Français" \
  -metadata:s:a:2 language=deu -metadata:s:a:2 title="Deutsch" \
  -metadata:s:s:0 language=eng -metadata:s:s:0 title="English" \
  -metadata:s:s:1 language=fra -metadata:s:s:1 title="Français" \
  -metadata:s:s:2 language=ara -metadata:s:s:2 title="العربية" \
  -disposition:v:0 default -disposition:v:1 0 -disposition:v:2 0 \
  -disposition:a:0 default -disposition:a:1 0 -disposition:a:2 0 \
  -disposition:s:0 default -disposition:s:1 0 -disposition:s:2 0 \
  -attach "$scratch/cover.jpg" \
  -metadata:s:t:0 mimetype=image/jpeg -metadata:s:t:0 filename=cover.jpg

echo "Captions:"

cat >"$media/captions/lorem.srt" <<'SRT'
1
00:00:00,200 --> 00:00:00,900
Lorem ipsum dolor sit amet,

2
00:00:01,000 --> 00:00:01,800
consectetur adipiscing elit,

3
00:00:03,000 --> 00:00:07,000
sed do eiusmod tempor incididunt
ut labore et dolore magna aliqua.

4
00:00:10,000 --> 00:00:19,000
<i>Ut enim ad minim veniam,</i>

5
00:00:20,000 --> 00:00:39,000
quis nostrud exercitation ullamco laboris

6
00:00:40,000 --> 00:00:58,000
nisi ut aliquip ex ea commodo consequat.
SRT
echo "  media/captions/lorem.srt"

echo "Broken files:"

python3 - "$media" <<'PYTHON'
import pathlib, random, sys

media = pathlib.Path(sys.argv[1])
broken = media / "broken"

(broken / "empty.mkv").write_bytes(b"")

# A fixed seed, and getrandbits because its sequence is the same in every Python 3.
noise = random.Random(20240229)
(broken / "junk.mkv").write_bytes(bytes(noise.getrandbits(8) for _ in range(64 * 1024)))

for name, source in (("truncated.mp4", "base.mp4"), ("truncated.mkv", "h264_aac.mkv")):
    whole = (media / source).read_bytes()
    (broken / name).write_bytes(whole[: len(whole) // 2])

for path in sorted(broken.iterdir()):
    print(f"  media/broken/{path.name}")
PYTHON

python3 "$here/manifest.py"
