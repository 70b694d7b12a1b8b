#!/bin/bash
# Shows that each thing that a world takes over has a test that fails without its hook: in a copy, the interposed function
# gets another name, the kernel's tests are linked anew, and the named test has to fail. About ten minutes.
#
# usage: scripts/hooks-are-needed.sh [FUNCTION...]
set -euo pipefail
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/Sources" "$copy/Tests"
cp -r Simulator "$copy/"
cp -r Sources/ConcurrencySeam Sources/CConcurrencySeam "$copy/Sources/"
cp -r Tests/Support Tests/InterleavingTests "$copy/Tests/"
# The command has tests of its own, and is not built here.
rm -r "$copy/Simulator/Command" "$copy/Tests/InterleavingTests/CommandTests.swift"
cat > "$copy/Package.swift" <<'PACKAGE'
// swift-tools-version: 6.3
import PackageDescription
let package = Package(
  name: "Kernel", platforms: [.macOS(.v15)],
  targets: [
    .target(name: "CConcurrencySeam"),
    .target(name: "ConcurrencySeam", dependencies: ["CConcurrencySeam"]),
    .target(name: "CInterleaving", path: "Simulator/CInterleaving"),
    .target(
      name: "Interleaving", dependencies: ["CInterleaving", "ConcurrencySeam", "CConcurrencySeam"],
      path: "Simulator/Interleaving"),
    .target(name: "TestSupport", path: "Tests/Support"),
    .testTarget(name: "InterleavingTests", dependencies: ["Interleaving", "ConcurrencySeam", "TestSupport"]),
  ])
PACKAGE
cd "$copy"

# Of each: what is renamed, its file, and the test that fails without it.
hooks='
pthread_mutex_lock|locks.c|signals that nobody sends
pthread_mutex_unlock|locks.c|pthread locks keep others out
pthread_cond_wait|locks.c|pthread locks and conditions
pthread_cond_broadcast|locks.c|pthread locks and conditions
pthread_cond_timedwait|locks.c|a wait with a deadline
pthread_rwlock_rdlock|locks.c|locks with readers
pthread_rwlock_wrlock|locks.c|many read or one writes
pthread_rwlock_unlock|locks.c|locks with readers
sem_wait|locks.c|a POSIX semaphore lets in
sem_post|locks.c|a POSIX semaphore lets in
pthread_create|locks.c|new threads are refused
pthread_join|locks.c|new threads are refused
pthread_barrier_wait|locks.c|new threads are refused
syscall|system.c|a Mutex that is held over a point
clock_gettime|system.c|every clock is the world
gettimeofday|system.c|every clock shows the world
nanosleep|system.c|every clock is the world
usleep|system.c|every clock is the world
sleep|system.c|every clock is the world
sched_yield|system.c|giving the processor up
getentropy|system.c|randomness follows
arc4random|system.c|randomness follows
dispatch_async_f|dispatch.c|the function forms
dispatch_sync_f|dispatch.c|the function forms are the world
dispatch_after_f|dispatch.c|sleeps take the world
dispatch_async|dispatch.c|a serial queue does its work
dispatch_sync|dispatch.c|a serial queue does its work
dispatch_barrier_async|dispatch.c|concurrent work overlaps
dispatch_barrier_sync|dispatch.c|concurrent work overlaps
dispatch_queue_create_with_target|dispatch.c|concurrent work overlaps
dispatch_after|dispatch.c|delayed work comes
dispatch_group_async|dispatch.c|groups are waited for
dispatch_group_wait|dispatch.c|groups are waited for
dispatch_group_leave|dispatch.c|groups are waited for
dispatch_group_notify|dispatch.c|groups are waited for
dispatch_semaphore_signal|dispatch.c|a semaphore lets in as many
dispatch_assert_queue|dispatch.c|the main queue is the main
dispatch_get_specific|dispatch.c|the main queue is the main
dispatch_source_create|dispatch.c|what is not taken over
dispatch_apply|dispatch.c|what is not taken over
dispatch_suspend|dispatch.c|what is not taken over
swift_task_create|tasks.c|a reader of a stream that nobody
swift_continuation_throwingResume|tasks.c|a thread outside that resumes
swift_task_switch|tasks.c|what is ordered is no race
swift_task_getMainExecutor_hook|tasks.c|InterleavingTests
'

# Two minutes are for what hangs without its hook; that is a failure like another.
fails() { ! timeout 120 swift test --skip-build --disable-xctest --filter "$1" > test.log 2>&1; }

swift build --build-tests --disable-xctest > build.log 2>&1
bad=0
while IFS='|' read -r name file test; do
  [ -n "$name" ] || continue
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  source=Simulator/CInterleaving/$file
  cp "$source" kept
  case $name in
    *_hook) sed -i "s/^  $name = .*/  (void)main_hook; (void)enqueue_hook;/" "$source" ;;
    *) sed -i -E "s/^(REFUSED\([^,]*, |[A-Za-z_].*[ *])$name( *\(|,)/\1disabled_$name\2/" "$source" ;;
  esac
  if cmp -s "$source" kept; then
    echo "$name: not found in $file"
    bad=1
  elif ! swift build --build-tests --disable-xctest > build.log 2>&1; then
    echo "$name: does not build without it"
    grep -m3 error: build.log
    bad=1
  elif fails "$test"; then
    echo "$name: '$test' fails without it"
  else
    echo "$name: '$test' PASSES without it"
    bad=1
  fi
  mv kept "$source"
done <<< "$hooks"
exit $bad
