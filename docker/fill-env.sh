#!/bin/sh
# sh docker/fill-env.sh docker/.env: gives every password of env.example that the file lacks, or has empty, a new random value, and so the
# key that signs the planner's snapshots with its public half. What the file has stays as it is. Other keys, names and addresses are for
# you to fill in.
set -eu
file=${1:?name the file: sh docker/fill-env.sh docker/.env}
example=$(dirname "$0")/env.example
umask 077
[ -e "$file" ] || cp "$example" "$file"

is_filled() { grep -qE "^$1=." "$file"; }

fill() {
  if grep -q "^$1=" "$file"; then
    filled=$(sed "s|^$1=$|$1=$2|" "$file")
    printf '%s\n' "$filled" > "$file"
  else
    printf '%s=%s\n' "$1" "$2" >> "$file"
  fi
}

for name in $(grep -oE '^[A-Z0-9_]*(PASSWORD|SECRET|REPLICA_KEY)[A-Z0-9_]*=$' "$example" | tr -d = | grep -v '^CLIENT_SECRET_KEY$'); do
  is_filled "$name" && continue
  case $name in
    *REPLICA_KEY) bytes=64 ;;
    MINIO_*|S3_*) bytes=20 ;;
    *) bytes=32 ;;
  esac
  fill "$name" "$(openssl rand -hex "$bytes")"
done

# Of an Ed25519 key, `id:base64 of 32 bytes`, to which the head of its DER form is added.
public_half() {
  printf '%s:' "${1%%:*}"
  { printf '\060\056\002\001\000\060\005\006\003\053\145\160\004\042\004\040'; printf '%s' "${1#*:}" | openssl base64 -d -A; } |
    openssl pkey -inform DER -pubout -outform DER | tail -c 32 | openssl base64 -A
}

is_filled PLANNER_SIGNING_KEYS || fill PLANNER_SIGNING_KEYS "$(date +%Y)a:$(openssl rand -base64 32)"
if ! is_filled PLANNER_PUBLIC_KEYS; then
  public=
  for key in $(sed -n 's/^PLANNER_SIGNING_KEYS=//p' "$file" | tr ',' ' '); do
    public=$public${public:+,}$(public_half "$key")
  done
  fill PLANNER_PUBLIC_KEYS "$public"
fi
