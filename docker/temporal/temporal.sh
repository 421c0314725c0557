#!/bin/sh
# The command `temporal` with the certificate and the token of this container, for operators and for namespace.sh. TEMPORAL_ACCESS is the
# folder that holds them, or `none` for a server that asks for neither.
set -eu
access=${TEMPORAL_ACCESS:-/run/temporal}
if [ "$access" != none ]; then
  TEMPORAL_API_KEY=$(cat "$access/token")
  export TEMPORAL_API_KEY
  export TEMPORAL_TLS_SERVER_CA_CERT_PATH="$access/ca.pem"
  export TEMPORAL_TLS_CLIENT_CERT_PATH="$access/cert.pem"
  export TEMPORAL_TLS_CLIENT_KEY_PATH="$access/key.pem"
fi
exec temporal "$@"
