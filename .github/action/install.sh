#!/usr/bin/env bash
# Gets callfit for the action. `plan` tells the steps between where it will stand and under which key it is kept; `get` puts it there, if the cache did not.
set -euo pipefail

fail() { printf '::error title=callfit::%s\n' "$*"; exit 2; }
digest() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

source=$GITHUB_ACTION_PATH
version=${INPUT_VERSION#v}
if [[ -n $version && ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then
  fail 'the input "version" is no version; write one such as 1.2.0, or leave it out'
fi

plan() {
  local made_of=$version
  if [[ -z $made_of ]]; then
    command -v cargo >/dev/null || fail 'cargo is missing, and callfit is to be built; set up Rust in a step before, or name a released "version"'
    # Everything that the binary is made of, and what it is made by.
    made_of=$({
      cd "$source"
      find Cargo.toml Cargo.lock reference harness cases -type f -print0 | LC_ALL=C sort -z | xargs -0 cksum
      cargo --version
    } | digest)
    made_of=${made_of%% *}
  fi
  printf '%s\n' "folder=$RUNNER_TEMP/callfit-bin" "key=callfit-$RUNNER_OS-$RUNNER_ARCH-$made_of" >>"$GITHUB_OUTPUT"
}

get() {
  if [[ -x $FOLDER/callfit ]]; then return; fi
  mkdir -p "$FOLDER"
  if [[ -n $version ]]; then download; else build; fi
  "$FOLDER/callfit" --version
}

build() {
  local root=$RUNNER_TEMP/callfit-build
  cargo install --locked --path "$source/harness" --root "$root" --target-dir "$root/target"
  mv "$root/bin/callfit" "$FOLDER/callfit"
  rm -rf "$root"
}

download() {
  local target name work
  case $RUNNER_OS-$RUNNER_ARCH in
    Linux-X64) target=x86_64-unknown-linux-musl ;;
    Linux-ARM64) target=aarch64-unknown-linux-musl ;;
    macOS-X64) target=x86_64-apple-darwin ;;
    macOS-ARM64) target=aarch64-apple-darwin ;;
    *) fail "there is no binary for $RUNNER_OS on $RUNNER_ARCH; leave the input \"version\" out, and it is built" ;;
  esac
  name=callfit-$version-$target
  work=$(mktemp -d "$RUNNER_TEMP/callfit.XXXXXX")
  for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
    curl --fail --silent --show-error --location --proto '=https' --retry 3 --output "$work/$file" \
      "https://github.com/callfit/callfit/releases/download/v$version/$file" \
      || fail "$file could not be downloaded; is $version a released version?"
  done
  (cd "$work" && digest -c "$name.tar.gz.sha256") || fail "$name.tar.gz is not what was released: its digest is another one"
  tar -C "$work" -xzf "$work/$name.tar.gz"
  mv "$work/$name/callfit" "$FOLDER/callfit"
  rm -rf "$work"
}

case $1 in plan) plan ;; get) get ;; esac
