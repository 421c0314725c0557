/**
 * Faults of the Dockerfiles: copies of missing files, scripts that run before they are copied, an image with root, a
 * shell or dev/.
 */
import type { Copy, Stage } from '../dockerfile.ts';
import { filesOf, madeBy } from '../image-files.ts';
import type { Composition } from './composition.ts';

export function checkImage(composition: Composition): readonly string[] {
  const { stages } = composition;
  const service = stages.at(-1);
  if (!service) return ['The Dockerfile has no stage'];
  return [
    ...stages.flatMap((stage) => checkBase(stage, composition)),
    ...stages.flatMap((stage) => checkCopies(stage, composition)),
    ...stages.flatMap((stage) => checkRuns(stage, composition)),
    ...checkAllCopied(composition),
    ...checkArguments(composition),
    ...checkService(service, composition),
    ...checkMinio(composition),
  ];
}

function checkBase({ name, base }: Stage, { packageJson }: Composition): readonly string[] {
  const wanted = `node:${packageJson.devDependencies.node}-bookworm-slim`;
  return base === wanted ? [] : [`The stage ${name} stands on ${base}, the tests run on ${wanted}`];
}

function checkCopies(stage: Stage, { stages, contextFiles }: Composition): readonly string[] {
  const before = stages.slice(0, stages.indexOf(stage));
  return stage.instructions
    .filter((each): each is Copy => each.kind === 'copy')
    .flatMap((copy) => {
      if (copy.from === undefined) {
        const missing = copy.sources.filter((source) => !contextFiles.some((file) => isWithin(file, source)));
        return missing.map(
          (source) => `The stage ${stage.name} copies ${source}, which .dockerignore keeps out or nobody made`,
        );
      }
      const from = before.find(({ name }) => name === copy.from);
      if (!from) return [`The stage ${stage.name} copies from ${copy.from}, which is no stage before it`];
      const made = madeBy(from).map((path) => `/app/${path}`);
      const missing = copy.sources.filter((source) => !made.some((path) => isWithin(path, source)));
      return missing.map((source) => `The stage ${copy.from} does not make ${source}`);
    });
}

/** In order: a script must be there when it runs. */
function checkRuns(stage: Stage, { contextFiles }: Composition): readonly string[] {
  return stage.instructions.flatMap((each, index) => {
    const script = each.kind === 'run' ? /^node (\S+)/.exec(each.command)?.[1] : undefined;
    if (script === undefined) return [];
    const there = filesOf({ ...stage, instructions: stage.instructions.slice(0, index) }, contextFiles);
    return there.has(script) ? [] : [`The stage ${stage.name} runs ${script}, which is not there yet`];
  });
}

/** .dockerignore allows no more than the stages copy. */
function checkAllCopied({ stages, contextFiles }: Composition): readonly string[] {
  const sources = stages.flatMap(({ instructions }) =>
    instructions.flatMap((each) => (each.kind === 'copy' && each.from === undefined ? each.sources : [])),
  );
  const idle = contextFiles.filter((file) => !sources.some((source) => isWithin(file, source)));
  return idle.map((file) => `.dockerignore lets ${file} in, which no stage copies`);
}

/** A build asks for all that it is given, and is given all that it asks for. */
function checkArguments({ stages, compose }: Composition): readonly string[] {
  const asked = stages.flatMap(({ instructions }) =>
    instructions.flatMap((each) => (each.kind === 'arg' ? [each.name] : [])),
  );
  const builds = Object.values(compose.services).flatMap(({ build }) =>
    build?.dockerfile === 'docker/Dockerfile' ? [Object.keys(build.args)] : [],
  );
  const given = builds[0] ?? [];
  return [
    ...given.filter((name) => !asked.includes(name)).map((name) => `The Dockerfile does not ask for ${name}`),
    ...asked.filter((name) => !given.includes(name)).map((name) => `A build is not given ${name}`),
  ];
}

function checkService(stage: Stage, { contextFiles, stages }: Composition): readonly string[] {
  const { instructions } = stage;
  const faults: string[] = [];
  if ([...filesOf(stage, contextFiles).keys()].some((path) => path.startsWith('dev/'))) {
    faults.push('The image holds files of dev/, which serve developing alone');
  }
  const user = instructions.findLast((each) => each.kind === 'user');
  if (!user || ['root', '0'].includes(user.name)) faults.push('The image runs as root');
  const entrypoint = findWords(stage, 'entrypoint');
  if (!entrypoint || entrypoint.length > 0) faults.push('Something stands between the engine and Node: ENTRYPOINT');
  const cmd = findWords(stage, 'cmd');
  if (cmd?.[0] !== 'node') faults.push('The image starts something else than Node');
  const entry = cmd?.at(-1) ?? '';
  if (!filesOf(stage, contextFiles).has(entry)) faults.push(`The image starts ${entry}, which it does not hold`);
  const made = stages.flatMap(madeBy).map((path) => `/app/${path}`);
  for (const each of instructions) {
    if (each.kind !== 'env' || !each.value.startsWith('/app/') || made.includes(each.value)) continue;
    faults.push(`${each.name} is ${each.value}, which nobody makes`);
  }
  return faults;
}

function findWords({ instructions }: Stage, kind: 'entrypoint' | 'cmd'): readonly string[] | undefined {
  const found = instructions.findLast((each) => each.kind === kind);
  return found && 'words' in found ? found.words : undefined;
}

/** The tests' version, built from source. */
function checkMinio({ minioStages, manifest }: Composition): readonly string[] {
  const part = manifest.parts.find(({ name }) => name === 'minio');
  const wanted = `${part?.package}@${part?.version}`;
  const runs = minioStages.flatMap(({ instructions }) =>
    instructions.flatMap((each) => (each.kind === 'run' ? [each.command] : [])),
  );
  const faults = runs.some((command) => command.split(' ').includes(wanted))
    ? []
    : [`MinIO's image is not made of ${wanted}`];
  const user = minioStages.at(-1)?.instructions.findLast((each) => each.kind === 'user');
  return user && user.name !== 'root' ? faults : [...faults, 'MinIO runs as root'];
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}
