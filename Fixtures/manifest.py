#!/usr/bin/env python3
"""Describes Fixtures/media/ in Fixtures/manifest.json and checks what the fixtures promise.

Every fact comes from ffprobe or from the bytes themselves. The promises at the
end of this file are what tests rely on; when one does not hold, the script says
so in a sentence, leaves manifest.json alone and exits with status 1.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MEDIA = HERE / "media"

# The ten files a player is expected to play to their end, with the codecs their names announce.
PLAYABLE = {
    "base.mp4": ("h264", "aac"),
    "h264_aac.mkv": ("h264", "aac"),
    "vp9_opus.webm": ("vp9", "opus"),
    "h264_aac.flv": ("h264", "aac"),
    "h264_ac3.mp4": ("h264", "ac3"),
    "h264_aac.ts": ("h264", "aac"),
    "h264_mp2.ts": ("h264", "mp2"),
    "hevc_aac.ts": ("hevc", "aac"),
    "h264_dts.ts": ("h264", "dts"),
    "h264_opus.ts": ("h264", "opus"),
}
PLAIN_DTS = "h264_dts_plain.ts"
BROKEN = {
    "broken/empty.mkv": "empty",
    "broken/junk.mkv": "junk",
    "broken/truncated.mp4": "truncated",
    "broken/truncated.mkv": "truncated",
}
NAMES = [*PLAYABLE, PLAIN_DTS, "tour.mkv", "silence.wav", "captions/lorem.srt", *BROKEN]

TOTAL_LIMIT = 8_000_000
TOUR_LIMIT = 2_500_000


def fail(sentence):
    sys.exit(f"manifest.py: {sentence}")


def expect(condition, sentence):
    if not condition:
        fail(sentence)


def probe(path):
    """What ffprobe says of a file; empty when it cannot open it."""
    command = ["ffprobe", "-v", "error", "-of", "json",
               "-show_format", "-show_streams", "-show_chapters", str(path)]
    result = subprocess.run(command, capture_output=True, text=True)
    return json.loads(result.stdout or "{}") if result.returncode == 0 else {}


def stream_hashes(path):
    """The SHA-256 of each stream's packets, by the stream's letter (v, a)."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(path), "-map", "0", "-c", "copy",
               "-f", "streamhash", "-hash", "sha256", "-"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return dict(line.split(",", 1)[1].split(",", 1) for line in lines)


def number(text):
    return round(float(text), 6) if text not in (None, "N/A") else None


def frame_rate(stream):
    """The average frame rate, or the base rate where the average is not known."""
    for key in ("avg_frame_rate", "r_frame_rate"):
        numerator, denominator = map(int, stream.get(key, "0/0").split("/"))
        if numerator and denominator:
            return {"numerator": numerator, "denominator": denominator}
    return None


def tags(thing):
    return {key.lower(): value for key, value in thing.get("tags", {}).items()}


def is_cover(stream):
    return bool(stream.get("disposition", {}).get("attached_pic"))


def track(stream):
    kind = stream["codec_type"]
    language = tags(stream).get("language")
    facts = {
        "type": kind,
        "codec": stream.get("codec_name", "unknown"),
        "default": bool(stream.get("disposition", {}).get("default")),
    }
    if kind == "video":
        facts["width"] = stream["width"]
        facts["height"] = stream["height"]
        facts["frameRate"] = frame_rate(stream)
    elif kind == "audio":
        facts["channels"] = stream["channels"]
        facts["sampleRate"] = int(stream["sample_rate"])
    facts["language"] = None if language == "und" else language
    facts["title"] = tags(stream).get("title")
    return facts


def describe(name):
    path = MEDIA / name
    data = path.read_bytes()
    found = probe(path)
    form = found.get("format", {})
    streams = found.get("streams", [])
    wanted = ("title", "artist")
    return {
        "name": name,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "duration": number(form.get("duration")),
        "container": form.get("format_name"),
        "tracks": [track(stream) for stream in streams
                   if stream.get("codec_type") in ("video", "audio", "subtitle") and not is_cover(stream)],
        "chapters": [{"title": tags(chapter).get("title"),
                      "start": number(chapter["start_time"]),
                      "end": number(chapter["end_time"])} for chapter in found.get("chapters", [])],
        "metadata": {key: tags(form)[key] for key in wanted if key in tags(form)},
        "cover": any(map(is_cover, streams)),
        "broken": BROKEN.get(name),
        "note": None,
    }


def plain_dts_note(plain):
    """What ffprobe sees in the plain DTS stream, beside what libVLC makes of it."""
    seen = " and ".join(f"{t['type']} ({t['codec']})" for t in plain["tracks"])
    return (f"ffprobe sees {seen}. libVLC 3.0.24 takes the second stream, whose type 0x82 comes "
            "without an HDMV registration, for SCTE-27 subtitles and plays no sound.")


def check(files):
    for name, codecs in PLAYABLE.items():
        file = files[name]
        kinds = [(t["type"], t["codec"]) for t in file["tracks"]]
        expect(kinds == [("video", codecs[0]), ("audio", codecs[1])],
               f"{name} should hold {codecs[0]} video and {codecs[1]} audio, but ffprobe sees {kinds}.")
        video, audio = file["tracks"]
        expect((video["width"], video["height"]) == (320, 240), f"{name} is not 320 by 240.")
        expect(video["frameRate"] == {"numerator": 25, "denominator": 1},
               f"{name} does not run at 25 frames a second: {video['frameRate']}.")
        expect((audio["channels"], audio["sampleRate"]) == (2, 48000),
               f"{name} does not sound in stereo at 48 kHz.")
        expect(1.9 <= file["duration"] <= 2.2, f"{name} lasts {file['duration']} s and not about two.")

    base = stream_hashes(MEDIA / "base.mp4")
    remux = stream_hashes(MEDIA / "h264_aac.mkv")
    expect(len(base) == 2 and sorted(base.values()) == sorted(remux.values()),
           "h264_aac.mkv does not carry the very packets of base.mp4.")
    expect(files["base.mp4"]["metadata"].keys() == {"title", "artist"}, "base.mp4 lacks its title or artist.")

    # In m2ts mode each 188-byte packet follows a 4-byte time stamp.
    for name, sync in (("h264_dts.ts", (4, 192)), (PLAIN_DTS, (0, 188))):
        data = (MEDIA / name).read_bytes()
        expect(all(byte == 0x47 for byte in data[sync[0]::sync[1]]), f"{name} is not made of {sync[1]}-byte packets.")

    tour = files["tour.mkv"]
    for kind in ("video", "audio", "subtitle"):
        ours = [t for t in tour["tracks"] if t["type"] == kind]
        expect(len(ours) == 3, f"tour.mkv has {len(ours)} {kind} tracks and not three.")
        expect([t["default"] for t in ours] == [True, False, False],
               f"tour.mkv does not make its first {kind} track, and only that, the default.")
    languages = {kind: [t["language"] for t in tour["tracks"] if t["type"] == kind] for kind in ("audio", "subtitle")}
    expect(languages == {"audio": ["eng", "fra", "deu"], "subtitle": ["eng", "fra", "ara"]},
           f"tour.mkv speaks the wrong languages: {languages}.")
    expect([(c["start"], c["end"]) for c in tour["chapters"]] == [(n * 10.0, n * 10.0 + 10.0) for n in range(6)],
           "tour.mkv does not have six chapters of ten seconds.")
    expect(all(c["title"] for c in tour["chapters"]), "A chapter of tour.mkv has no name.")
    expect(tour["cover"], "tour.mkv has no cover.")
    expect("title" in tour["metadata"], "tour.mkv has no title.")
    expect(59.9 <= tour["duration"] <= 60.1, f"tour.mkv lasts {tour['duration']} s and not a minute.")
    expect(tour["bytes"] < TOUR_LIMIT, f"tour.mkv has {tour['bytes']} bytes, over its limit of {TOUR_LIMIT}.")

    expect(files["broken/empty.mkv"]["bytes"] == 0, "broken/empty.mkv is not empty.")
    for name in ("broken/empty.mkv", "broken/junk.mkv", "broken/truncated.mp4"):
        expect(not files[name]["tracks"], f"{name} should be unreadable, but ffprobe finds tracks in it.")
    expect(b"moov" not in (MEDIA / "broken/truncated.mp4").read_bytes(), "broken/truncated.mp4 still has its moov.")
    expect(len(files["broken/truncated.mkv"]["tracks"]) == 2, "broken/truncated.mkv should still show two tracks.")

    captions = [name for name in NAMES if name.endswith(".srt")]
    expect(all(pathlib.PurePath(name).parent.name == "captions" for name in captions),
           "A subtitle file lies where a player could attach it by name.")
    total = sum(file["bytes"] for file in files.values())
    expect(total < TOTAL_LIMIT, f"The fixtures have {total} bytes, over their limit of {TOTAL_LIMIT}.")
    return total


def main():
    present = {path.relative_to(MEDIA).as_posix() for path in MEDIA.rglob("*") if path.is_file()}
    missing, stray = set(NAMES) - present, present - set(NAMES) - {".DS_Store"}
    expect(not missing, f"media/ lacks {', '.join(sorted(missing))}.")
    expect(not stray, f"media/ holds files nobody announced: {', '.join(sorted(stray))}.")

    files = {name: describe(name) for name in NAMES}
    files[PLAIN_DTS]["note"] = plain_dts_note(files[PLAIN_DTS])
    files["broken/truncated.mkv"]["note"] = "The duration is the whole file's, as its header still claims."
    total = check(files)

    version = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True, check=True).stdout.split()[2]
    manifest = {"generator": {"name": "ffmpeg", "version": version}, "files": list(files.values())}
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (HERE / "manifest.json").write_text(text, encoding="utf-8")
    print(f"manifest.json: {len(files)} files, {total} bytes.")


if __name__ == "__main__":
    main()
