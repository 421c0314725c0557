#!/bin/sh
# Makes Temporal's two databases and brings their schemas to the version of this image. Runs before the server at every start and before
# every upgrade of it; what is there already stays. Reads POSTGRES_HOST, POSTGRES_USER, SQL_PASSWORD (by the tool itself).
set -eu
: "${POSTGRES_HOST:?}" "${POSTGRES_USER:?}" "${SQL_PASSWORD:?}"

update() {
  database=$1 schemas=$2
  tool="temporal-sql-tool --plugin postgres12 --endpoint $POSTGRES_HOST --port 5432 --user $POSTGRES_USER --database $database"
  $tool create-database
  # Version 0 is laid once: done again it would say that the schema is there, which is no fault.
  $tool setup-schema --version 0.0 || echo "$database has a schema already"
  $tool update-schema --schema-dir "$schemas"
}

update temporal /etc/temporal/schema/postgresql/v12/temporal/versioned
update temporal_visibility /etc/temporal/schema/postgresql/v12/visibility/versioned
