/**
 * Checks that the NeTEx schemas are in the configured folder. Caller: the start of the validation worker, which without
 * them could validate nothing and would delay imports.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { SchemaSet } from '../../netex/schema/index.ts';
import { ConfigError } from '../../platform/config.ts';

/** With and without the constraints; each version needs both. */
const ENTRIES = ['NeTEx_publication.xsd', 'NeTEx_publication-NoConstraint.xsd'];

/** Throws a ConfigError that names the variable and says what is missing. */
export function requireSchemas(directory: string): void {
  const refuse = (why: string): never => {
    throw new ConfigError([`NETEX_XSD_DIR: ${why}; \`npm start\` and \`npm test\` fetch the schemas`]);
  };
  const versions = versionsIn(directory);
  if (versions.length === 0) refuse(`the folder ${directory} holds no NeTEx schemas`);
  for (const version of versions) {
    for (const entry of ENTRIES) {
      if (!isReadable(join(directory, version, entry))) refuse(`${join(directory, version, entry)} cannot be read`);
    }
  }
}

function versionsIn(directory: string): readonly string[] {
  try {
    return SchemaSet.open(directory).versions;
  } catch {
    return [];
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
