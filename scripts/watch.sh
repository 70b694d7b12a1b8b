#!/usr/bin/env bash
#
# Runs a command and ends it when it takes too long or falls silent, after printing the stacks of its threads.
#
# Usage: scripts/watch.sh WALL_SECONDS IDLE_SECONDS -- COMMAND...
#
# The command runs in a session of its own, without standard input; its output and errors both come out on
# standard output as they are written. The exit status is the command's, or 124 when a limit ended it. Whatever
# processes the command leaves behind are ended with it. One watch may run inside another.

set -uo pipefail

exec 8>&2
say() { echo "watch.sh: $*" >&8; }

if (($# < 4)) || [[ ! $1 =~ ^[1-9][0-9]*$ || ! $2 =~ ^[1-9][0-9]*$ || $3 != -- ]]; then
  say "usage: scripts/watch.sh WALL_SECONDS IDLE_SECONDS -- COMMAND..."
  exit 64
fi
wall=$1 idle=$2
shift 3

if ! command -v setsid >/dev/null || [[ ! -r /proc/self/stat ]]; then
  say "there is no setsid or no /proc here, so no limit holds for: $*"
  exec "$@" </dev/null 2>&1 8>&-
fi

scratch="$(mktemp -d)" || exit 70
trap 'rm -rf "$scratch"' EXIT
mkfifo "$scratch/output" "$scratch/never" || exit 70
: >"$scratch/log"
exec 9<>"$scratch/never"

# Waits half a second without a process: nothing is ever written to that pipe.
tick() { read -rt 0.5 -u 9 || :; }

# Seconds since the machine started, whatever is done to its calendar.
now() {
  local uptime
  read -r uptime _ </proc/uptime
  echo "${uptime%.*}"
}

# Sets `state`, `parent` and `session` of a process; fails when it is gone or a zombie.
describe() {
  local text='' fields
  IFS= read -rd '' text 2>/dev/null <"/proc/$1/stat"
  [[ $text == *') '* ]] || return 1
  read -ra fields <<<"${text##*) }"
  state=${fields[0]} parent=${fields[1]} session=${fields[3]}
  [[ $state != [ZX] ]]
} 2>/dev/null

describe $$ && own_session=$session

# Sets `members` to the living processes of the command: those of its session, their descendants, and the
# sessions that these began.
declare -A sessions=()
find_members() {
  local path pid changed=1
  local -A parents=() where=() found=()
  for path in /proc/[0-9]*; do
    pid=${path##*/}
    describe "$pid" && parents[$pid]=$parent where[$pid]=$session
  done
  while ((changed)); do
    changed=0
    for pid in "${!parents[@]}"; do
      [[ -z ${found[$pid]-} ]] || continue
      # Not yet in its own session (just forked) or a kernel thread: never one of ours.
      [[ ${where[$pid]} != 0 && ${where[$pid]} != "$own_session" ]] || continue
      if [[ -n ${sessions[${where[$pid]}]-} || -n ${found[${parents[$pid]}]-} ]]; then
        found[$pid]=1 sessions[${where[$pid]}]=1 changed=1
      fi
    done
  done
  members=("${!found[@]}")
}

# Ends every process of the command: TERM, and KILL after that many half seconds.
end_members() {
  local try
  for ((try = 0; try < $1 + 6; try++)); do
    find_members
    if ((${#members[@]} == 0)); then
      wait "$leader" 2>/dev/null
      return
    fi
    if ((try == 0)); then
      kill -TERM "${members[@]}" 2>/dev/null
      kill -CONT "${members[@]}" 2>/dev/null
    elif ((try >= $1)); then
      kill -KILL "${members[@]}" 2>/dev/null
    fi
    tick
  done
  say "some processes did not end: ${members[*]}"
}

# Lets the rest of the output through, for three seconds at most: a process out of reach may hold the pipe.
end_output() {
  local try
  for ((try = 0; try < 6; try++)); do
    kill -0 "$tee" 2>/dev/null || return 0
    tick
  done
  kill -KILL "$tee" 2>/dev/null
  wait "$tee" 2>/dev/null
}

# What there is without a debugger.
print_kernel_stacks() {
  local task
  for task in "/proc/$1/task"/*; do
    echo "Thread ${task##*/} ($(cat "$task/comm" 2>/dev/null)), waiting in $(cat "$task/wchan" 2>/dev/null)"
    cat "$task/stack" 2>/dev/null
  done
}

demangle() { if command -v swift-demangle >/dev/null; then swift-demangle --simplified; else cat; fi; }

# Prints the stacks of eight processes at most: of programs; when there are none, of compilers and build tools;
# and of shells when there is nothing else.
print_stacks() {
  local pid name start text debugger=()
  local programs=() tools=() shells=() chosen
  find_members
  for pid in "${members[@]}"; do
    name="$(cat "/proc/$pid/comm" 2>/dev/null)" || continue
    case "$name" in
      bash | sh | dash | make | env | tee | timeout | setsid | unshare | sudo | watch.sh | hide.sh | run) shells+=("$pid") ;;
      swift | swift-* | clang* | ld | ld.* | ld64* | lld | sleep | cat | gdb) tools+=("$pid") ;;
      *) programs+=("$pid") ;;
    esac
  done
  chosen=(${programs[@]+"${programs[@]}"})
  ((${#chosen[@]})) || chosen=(${tools[@]+"${tools[@]}"})
  ((${#chosen[@]})) || chosen=(${shells[@]+"${shells[@]}"})

  if command -v gdb >/dev/null; then
    debugger=(timeout -k 5 40 gdb)
    # Other users than root may often debug their children only.
    ((EUID == 0)) || { command -v sudo >/dev/null && sudo -n true 2>/dev/null && debugger=(sudo -n "${debugger[@]}"); }
  fi
  start="$(now)"
  for pid in "${chosen[@]:0:8}"; do
    echo "===== Stacks of process $pid: $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | head -c 300)"
    text=
    if ((${#debugger[@]} && $(now) - start < 120)); then
      text="$(DEBUGINFOD_URLS='' "${debugger[@]}" -nx -batch -p "$pid" -ex 'set pagination off' \
        -ex 'thread apply all bt 64' </dev/null 2>&1 | grep -vE '^(\[New LWP|During symbol reading|warning: Section)')"
    fi
    if [[ $text == *'#0 '* ]]; then demangle <<<"$text"; else
      [[ -z $text ]] || tail -n 3 <<<"$text"
      print_kernel_stacks "$pid"
    fi
  done
  echo "===== End of the stacks"
}

# A shell that is not interactive has its background processes ignore INT and QUIT; the command should not.
prefix=()
env --default-signal=INT,QUIT true 2>/dev/null && prefix=(env '--default-signal=INT,QUIT')
# A test runner whose output is no terminal keeps it in a buffer: in a hang, the names of the tests that hang.
stdbuf -oL true 2>/dev/null && prefix+=(stdbuf -oL)

# shellcheck disable=SC2317 # The traps call it.
interrupt() {
  trap '' INT TERM HUP
  say "interrupted; ending: $command"
  # It may not have entered its session yet.
  [[ -z $leader ]] || kill -TERM "$leader" 2>/dev/null
  end_members 6 # Less than a watch around this one would wait for it.
  [[ -z $tee ]] || end_output
  exit "$1"
}
command="$*" tee='' leader=''
trap 'interrupt 129' HUP
trap 'interrupt 130' INT
trap 'interrupt 143' TERM

tee -i -a "$scratch/log" <"$scratch/output" 8>&- 9<&- &
tee=$!
setsid ${prefix[@]+"${prefix[@]}"} "$@" </dev/null >"$scratch/output" 2>&1 8>&- 9<&- &
leader=$!
exec 2>/dev/null # The shell itself would report the processes that end by a signal.
sessions[$leader]=1

began="$(now)" last="$began" size=0 limit=
while kill -0 "$leader"; do
  tick
  time="$(now)"
  new_size="$(stat -c %s "$scratch/log")"
  [[ $new_size == "$size" ]] || size=$new_size last=$time
  if ((time - began >= wall)); then
    limit="it ran for $wall s, the limit"
  elif ((time - last >= idle)); then
    limit="it printed nothing for $idle s, the limit"
  fi
  if [[ -n $limit ]] && kill -0 "$leader"; then
    say "$limit; the stacks follow, then it is ended: $command"
    print_stacks >&8
    end_members 10
    end_output
    say "ended, because $limit: $command"
    exit 124
  fi
done

wait "$leader"
status=$?
find_members
if ((${#members[@]})); then
  tick
  find_members
  if ((${#members[@]})); then
    names="$(for pid in "${members[@]}"; do echo "$pid $(cat "/proc/$pid/comm")"; done | paste -sd ',')"
    say "the command ended and left processes, which are ended now: $names"
    end_members 10
  fi
fi
end_output
exit "$status"
