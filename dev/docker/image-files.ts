/**
 * The project's files that a stage of the Dockerfile copies, and the files that it makes. Callers: the checks of image
 * and services.
 */
import type { Copy, Stage } from './dockerfile.ts';

/** Of an image of ours, by path below its working folder: what was copied into it of the project. */
export function filesOf(stage: Stage, contextFiles: readonly string[]): ReadonlySet<string> {
  const copies = stage.instructions.filter((each): each is Copy => each.kind === 'copy' && each.from === undefined);
  return new Set(copies.flatMap((copy) => placementsOf(copy, contextFiles).map(({ target }) => target)));
}

/** A file of the project and where it is put, below the working folder. */
export interface Placement {
  readonly source: string;
  readonly target: string;
}

/**
 * Follows the engine: a folder's contents go into the target. A file goes there under its name or, without a slash at
 * the end, as the target.
 */
export function placementsOf({ sources, target }: Copy, contextFiles: readonly string[]): readonly Placement[] {
  const into = target.replace(/^\.\//, '').replace(/\/$/, '');
  const below = (name: string): string => (into === '' ? name : `${into}/${name}`);
  return sources.flatMap((source) => {
    if (contextFiles.includes(source)) {
      return [{ source, target: target.endsWith('/') ? below(source.split('/').at(-1) ?? source) : into }];
    }
    const inside = contextFiles.filter((file) => file.startsWith(`${source}/`));
    return inside.map((file) => ({ source: file, target: below(file.slice(source.length + 1)) }));
  });
}

/** Files and folders that the build makes: `npm ci` and the scripts the Dockerfile runs. By path below the working folder. */
export const MADE_BY_BUILD: Readonly<Record<string, { readonly made: string; readonly from?: string }>> = {
  'npm ci': { made: 'node_modules' },
  'dev/setup/provide-schemas.mjs': { made: 'dist/netex-xsd' },
  'dev/contract/main.ts': { made: 'dist/documents' },
  'workers/build-bundle.ts': { made: 'dist/workflow-bundle.js' },
  'dev/planner/build.ts': { made: 'dist/planner/server.mjs', from: 'api/journey-planner/server.ts' },
  'dev/ide/build.ts': { made: 'dist/ide' },
};

/** The files that this stage's RUN lines make. */
export function madeBy(stage: Stage): readonly string[] {
  const commands = stage.instructions.flatMap((each) => (each.kind === 'run' ? [each.command] : []));
  return Object.entries(MADE_BY_BUILD)
    .filter(([maker]) => commands.some((command) => command.startsWith(maker) || command.startsWith(`node ${maker}`)))
    .map(([, { made }]) => made);
}
