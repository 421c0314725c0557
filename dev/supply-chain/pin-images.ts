/**
 * `npm run docker:pin`: pulls each image that compose.yaml and the Dockerfiles name with the container engine, and
 * writes its digest behind the tag. Needs `docker` and a connection to the registries. Review the change like an
 * upgrade.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { IMAGE_FILES, listImages, pin, withoutDigest } from './images.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const DIGEST = /^sha256:[0-9a-f]{64}$/;

async function fetchDigest(image: string): Promise<string> {
  await run('docker', ['pull', '--quiet', image]);
  const { stdout } = await run('docker', ['image', 'inspect', '--format', '{{index .RepoDigests 0}}', image]);
  const digest = stdout.trim().split('@')[1] ?? '';
  if (!DIGEST.test(digest)) throw new Error(`${image}: the engine answers no digest`);
  return digest;
}

try {
  const images = [...new Set(listImages(root).map(withoutDigest))];
  const digests = new Map<string, string>();
  for (const image of images) {
    digests.set(image, await fetchDigest(image));
    console.log(`${image}@${digests.get(image)}`);
  }
  for (const file of IMAGE_FILES) {
    const path = join(root, file);
    writeFileSync(path, pin(readFileSync(path, 'utf8'), digests));
  }
} catch (error) {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const why = isMissing ? 'docker is not installed here' : error instanceof Error ? error.message : error;
  console.error(`Nothing was written: ${why}`);
  process.exitCode = 1;
}
