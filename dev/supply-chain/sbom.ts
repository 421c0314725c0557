/**
 * `npm run sbom -- [--out FILE]` writes a bill of materials in CycloneDX. It holds the packages that production runs,
 * as npm lists them from the lock file, the servers of dev/setup/manifest.json, and the images of docker/.
 * `dist/sbom.cdx.json` unless given.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { listImages, withoutDigest } from './images.ts';

const root = resolve(import.meta.dirname, '../..');
const { out = 'dist/sbom.cdx.json' } = parseArgs({ options: { out: { type: 'string' } } }).values;

const bill = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(z.looseObject({ name: z.string() })),
});
const part = z.object({
  name: z.string(),
  title: z.string(),
  package: z.string(),
  version: z.string().optional(),
  sha256: z.string().optional(),
});

function listServers(): readonly object[] {
  const text = readFileSync(join(root, 'dev/setup/manifest.json'), 'utf8');
  const { parts } = z.object({ parts: z.array(part) }).parse(JSON.parse(text));
  return parts.map(({ name, title, package: from, version, sha256 }) => ({
    type: 'application',
    'bom-ref': `server:${name}`,
    name,
    description: `${title}, from ${from}`,
    ...(version !== undefined && { version }),
    ...(sha256 !== undefined && { hashes: [{ alg: 'SHA-256', content: sha256 }] }),
  }));
}

function listContainers(): readonly object[] {
  return listImages(root).map((image) => {
    const [name = '', version = ''] = withoutDigest(image).split(':');
    const digest = image.split('@sha256:')[1];
    return {
      type: 'container',
      'bom-ref': `image:${image}`,
      name,
      version,
      ...(digest !== undefined && { hashes: [{ alg: 'SHA-256', content: digest }] }),
    };
  });
}

const args = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--omit',
  'dev',
  '--package-lock-only',
];
const listed = bill.parse(
  JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })),
);
// npm names the project after its folder.
listed.metadata.component.name = 'samferd';
const components = [...listed.components, ...listServers(), ...listContainers()];
mkdirSync(dirname(resolve(root, out)), { recursive: true });
writeFileSync(resolve(root, out), `${JSON.stringify({ ...listed, components }, null, 2)}\n`);
console.log(`${out}: ${components.length} components`);
