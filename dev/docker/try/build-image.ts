/**
 * Executes the Dockerfile without an engine: each stage is a folder, COPY copies only what .dockerignore includes, and
 * RUN runs its command. Commands for system packages and users are left out. Caller: main.ts. Never writes outside its
 * folder.
 */
import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { projectRoot } from '../../setup/resolve.mjs';
import type { Composition } from '../check/composition.ts';
import type { Copy, Stage } from '../dockerfile.ts';
import { placementsOf } from '../image-files.ts';

export interface BuiltImage {
  /** The working folder of the last stage, which is /app in a container. */
  readonly directory: string;
  /** The environment of the image, with the folder in place of /app. */
  readonly environment: Readonly<Record<string, string>>;
  readonly node: string;
}

/** Commands that install Debian's packages, or make users and folders of the system. */
const OF_THE_SYSTEM = /^(apt-get|install) /;
const WORKDIR = '/app';

export async function buildImage(
  composition: Composition,
  folder: string,
  report: (line: string) => void,
): Promise<BuiltImage> {
  const node = join(folder, 'bin/node');
  await mkdir(dirname(node), { recursive: true });
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  const { stages, contextFiles } = composition;
  let last = '';
  for (const stage of stages) {
    last = join(folder, stage.name, WORKDIR);
    await mkdir(last, { recursive: true });
    for (const each of stage.instructions) {
      if (each.kind === 'copy') await copy(each, { folder, into: last, contextFiles });
      else if (each.kind === 'run' && !OF_THE_SYSTEM.test(each.command)) {
        report(`${stage.name}: ${each.command}`);
        await runIn(last, each.command, dirname(node));
      }
    }
  }
  return findImage(composition, folder);
}

/** Finds an image that an earlier run built in this folder. */
export function findImage({ stages }: Composition, folder: string): BuiltImage {
  const stage = stages.at(-1);
  const directory = join(folder, stage?.name ?? '', WORKDIR);
  return { directory, environment: environmentOf(stage, directory), node: join(folder, 'bin/node') };
}

function environmentOf(stage: Stage | undefined, directory: string): Readonly<Record<string, string>> {
  const set = (stage?.instructions ?? []).flatMap((each) => (each.kind === 'env' ? [each] : []));
  return Object.fromEntries(set.map(({ name, value }) => [name, value.replace(/^\/app\//, `${directory}/`)]));
}

interface Place {
  readonly folder: string;
  readonly into: string;
  readonly contextFiles: readonly string[];
}

async function copy(instruction: Copy, { folder, into, contextFiles }: Place): Promise<void> {
  if (instruction.from === undefined) {
    for (const { source, target } of placementsOf(instruction, contextFiles)) {
      await mkdir(dirname(join(into, target)), { recursive: true });
      await copyFile(join(projectRoot, source), join(into, target));
    }
    return;
  }
  // Hard links suffice: node_modules is large, and no process writes to it.
  for (const source of instruction.sources) {
    const from = join(folder, instruction.from, source);
    await runIn(into, `mkdir -p "$(dirname '${instruction.target}')" && cp -al '${from}' '${instruction.target}'`);
  }
}

async function runIn(directory: string, command: string, firstOnPath?: string): Promise<void> {
  const path = [firstOnPath, process.env.PATH].filter(Boolean).join(delimiter);
  const child = spawn('sh', ['-euc', command], {
    cwd: directory,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      tail = (tail + chunk).slice(-4_000);
    });
  }
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`\`${command}\` ended with ${code}:\n${tail}`);
}
