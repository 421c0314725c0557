/**
 * The input of the checks, read once: the files of docker/ and the parts of the project that they name. A test changes
 * one of the texts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, projectRoot } from '../../setup/resolve.mjs';
import { type ComposeFile, readCompose } from '../compose-file.ts';
import { parseDockerfile, type Stage } from '../dockerfile.ts';
import { listContext, parseIgnoreFile } from '../ignore-file.ts';

export interface CompositionTexts {
  readonly compose: string;
  readonly dockerfile: string;
  readonly minioDockerfile: string;
  readonly ignoreFile: string;
  readonly caddyfile: string;
  readonly envExample: string;
}

export interface Composition {
  readonly texts: CompositionTexts;
  /** With example values in place of the variables. */
  readonly compose: ComposeFile;
  readonly stages: readonly Stage[];
  readonly minioStages: readonly Stage[];
  /** The files of the project that a build sees. */
  readonly contextFiles: readonly string[];
  readonly packageJson: {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  readonly manifest: typeof manifest;
}

export function readTexts(root = projectRoot): CompositionTexts {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  return {
    compose: read('docker/compose.yaml'),
    dockerfile: read('docker/Dockerfile'),
    minioDockerfile: read('docker/minio/Dockerfile'),
    ignoreFile: read('.dockerignore'),
    caddyfile: read('docker/proxy/Caddyfile'),
    envExample: read('docker/env.example'),
  };
}

export function readComposition(texts: CompositionTexts, values: Readonly<Record<string, string>>): Composition {
  return {
    texts,
    compose: readCompose(texts.compose, values),
    stages: parseDockerfile(texts.dockerfile),
    minioStages: parseDockerfile(texts.minioDockerfile),
    contextFiles: contextOf(texts.ignoreFile),
    packageJson: JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')),
    manifest,
  };
}

const contexts = new Map<string, readonly string[]>();

/** The project's folder is read once for each list. */
function contextOf(ignoreFile: string): readonly string[] {
  const known = contexts.get(ignoreFile) ?? listContext(projectRoot, parseIgnoreFile(ignoreFile));
  contexts.set(ignoreFile, known);
  return known;
}
