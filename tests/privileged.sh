#!/usr/bin/env bash
# Faults that no ordinary user can make: full disks, read-only and foreign mounts, system calls that fail.
#
# Needs: Linux, root, mount, strace, python3, and a built binary.
#   cargo build && sudo tests/privileged.sh [BINARY]
# Every case applies a plan of several files under one fault. When the project is opened next, its files have to stand all
# as before or all as after. Prints `N passed, M failed`, and exits with 1 where one failed.
set -u

binary=$(realpath "${1:-target/debug/lspwright}")
[ -x "$binary" ] || { echo "no binary at $binary: run cargo build first" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "this needs root: it mounts file systems and injects errors" >&2; exit 2; }
for tool in strace mount python3; do
  command -v "$tool" >/dev/null || { echo "this needs $tool" >&2; exit 2; }
done

base=$(mktemp -d)
mounts=()
passed=0
failed=0
files=6

clean_up() {
  for ((at = ${#mounts[@]} - 1; at >= 0; at--)); do umount -l "${mounts[at]}"; done
  rm -rf "$base"
}
trap clean_up EXIT

mounted() { # DIR OPTIONS…
  mkdir -p "$1"
  mount -t tmpfs -o "$2" tmpfs "$1" && mounts+=("$1")
}

# Writes the files and the plan.
project() { # DIR
  rm -rf "${1:?}"/f*.lua
  mkdir -p "$1"
  python3 - "$1" "$files" "$base/plan.json" <<'PY'
import hashlib, json, pathlib, sys
root, count, plan = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
text = "local total = 1\nprint(total)\n"
place = lambda line, start: {"range": {"start": {"line": line, "character": 6}, "end": {"line": line, "character": 11}}, "newText": "amount"}
names = [f"f{number}.lua" for number in range(count)]
for name in names:
    (root / name).write_text(text)
sha256 = hashlib.sha256(text.encode()).hexdigest()
json.dump({
    "edits": [{"filePath": name, "textEdits": [place(0, 6), place(1, 6)]} for name in names[:-1]],
    "fsMoves": [{"from": names[-1], "to": "moved.lua"}],
    "basis": [{"filePath": name, "sha256": sha256} for name in names],
}, open(plan, "w"))
PY
  rm -f "$1/moved.lua"
}

run() { # DIR WORDS…
  local dir=$1
  shift
  XDG_STATE_HOME="${state:-$base/state}" XDG_CACHE_HOME="$base/cache" "$binary" "$@" --project "$dir" 2>"$base/stderr" >/dev/null
}

applied() { run "$1" apply "$base/plan.json" --verify none; }

# Opens the project once more, and tells how its files stand.
standing() { # DIR
  run "$1" verify "$base/plan.json" --level none
  local new old
  new=$(grep -lw amount "$1"/f*.lua 2>/dev/null | wc -l)
  old=$(grep -lw total "$1"/f[0-4].lua 2>/dev/null | wc -l)
  if [ "$new" = 5 ] && [ -e "$1/moved.lua" ] && [ ! -e "$1/f5.lua" ]; then echo after
  elif [ "$old" = 5 ] && [ -e "$1/f5.lua" ] && [ ! -e "$1/moved.lua" ]; then echo before
  else echo "between ($old old, $new new)"; fi
}

judged() { # NAME GOT WANTED…
  local name=$1 got=$2
  shift 2
  for wanted in "$@"; do
    [ "$got" = "$wanted" ] && { passed=$((passed + 1)); return; }
  done
  failed=$((failed + 1))
  echo "FAILED $name: $got, wanted: $*" >&2
  tail -n 2 "$base/stderr" >&2
}

# --- Disks ------------------------------------------------------------------------------------------

mounted "$base/full" size=256k
project "$base/full"
head -c 1M /dev/zero >"$base/full/filler" 2>/dev/null
applied "$base/full"
judged "a full disk is a failure" $? 3
judged "a full disk" "$(standing "$base/full")" before
rm "$base/full/filler"
applied "$base/full"
judged "the same disk with room" "$?$(standing "$base/full")" 0after

project "$base/plain"
mounted "$base/fullstate" size=64k
head -c 1M /dev/zero >"$base/fullstate/filler" 2>/dev/null
state="$base/fullstate" applied "$base/plain"
judged "no room for the journal" $? 3
judged "no room for the journal" "$(standing "$base/plain")" before

mounted "$base/otherstate" size=4m
project "$base/plain"
state="$base/otherstate" applied "$base/plain"
judged "a journal on another file system" "$?$(standing "$base/plain")" 0after
state="$base/otherstate" run "$base/plain" undo
judged "an undo from there" "$?$(standing "$base/plain")" 0before

mounted "$base/readonly" size=256k
project "$base/readonly"
mount -o remount,ro "$base/readonly"
applied "$base/readonly"
judged "a read-only mount is a failure" $? 1 3
judged "a read-only mount" "$(standing "$base/readonly")" before

project "$base/bound"
cp "$base/bound/f2.lua" "$base/elsewhere.lua"
mount --bind "$base/elsewhere.lua" "$base/bound/f2.lua" && mounts+=("$base/bound/f2.lua")
applied "$base/bound"
judged "a file that is a mount" "$(standing "$base/bound")" before after

# --- System calls -----------------------------------------------------------------------------------

# Fails (or kills at) one call after the other, until the plan arrives.
injected() { # SYSCALL FAULT
  local at got code
  for at in $(seq 1 60); do
    rm -rf "$base/state"
    project "$base/calls"
    # The shell's own word about a killed program is none of ours.
    {
      XDG_STATE_HOME="$base/state" XDG_CACHE_HOME="$base/cache" strace -f -qq -o "$base/calls.log" \
        -e trace="$1" -e inject="$1:$2:when=$at" \
        "$binary" apply "$base/plan.json" --verify none --project "$base/calls" >/dev/null 2>"$base/stderr"
      code=$?
    } 2>/dev/null
    got=$(standing "$base/calls")
    judged "$1 number $at: $2" "$got" before after
    grep -q INJECTED "$base/calls.log" || { [ "$code" = 0 ] && return; }
  done
}

for call in renameat2 rename fsync fdatasync linkat unlink unlinkat; do
  injected "$call" error=EIO
  injected "$call" signal=KILL
done
injected renameat2 error=ENOSPC
injected renameat2 error=EINVAL

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
