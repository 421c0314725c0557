#!/bin/sh
# Makes the service's namespace and its search attributes, at every start, where they are not there yet. Reads TEMPORAL_ADDRESS,
# TEMPORAL_NAMESPACE, RETENTION (how long ended workflows can be read) and SEARCH_ATTRIBUTES (`Name=Type …`).
set -eu
: "${TEMPORAL_ADDRESS:?}" "${TEMPORAL_NAMESPACE:?}" "${RETENTION:?}" "${SEARCH_ATTRIBUTES:?}"

scripts=$(dirname "$0")
temporal() { sh "$scripts/temporal.sh" "$@"; }

tries=30
until temporal operator cluster health --address "$TEMPORAL_ADDRESS" >/dev/null 2>&1; do
  tries=$((tries - 1))
  [ "$tries" -gt 0 ] || { echo "Temporal at $TEMPORAL_ADDRESS does not answer" >&2; exit 1; }
  sleep 2
done

operator() { temporal operator "$@" --address "$TEMPORAL_ADDRESS" --namespace "$TEMPORAL_NAMESPACE"; }

if operator namespace describe >/dev/null 2>&1; then
  operator namespace update --retention "$RETENTION" >/dev/null
else
  operator namespace create --retention "$RETENTION" >/dev/null
fi

# A namespace that was made a moment ago is not known everywhere in the server at once.
tries=30
until known=$(operator search-attribute list 2>/dev/null); do
  tries=$((tries - 1))
  [ "$tries" -gt 0 ] || { echo "The namespace $TEMPORAL_NAMESPACE cannot be read" >&2; exit 1; }
  sleep 1
done
for attribute in $SEARCH_ATTRIBUTES; do
  name=${attribute%%=*}
  printf '%s\n' "$known" | grep -qw "$name" || operator search-attribute create --name "$name" --type "${attribute#*=}"
done
echo "The namespace $TEMPORAL_NAMESPACE is there"
