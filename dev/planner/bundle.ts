/**
 * A planner process as JavaScript in few files: no comments, no types, nothing imported that is not used. Node keeps
 * the text of every module and what it knows of it; bundled that is some 25 MB less than as 1,200 files. Called by the
 * local stack, tests and `npm run build:planner`; a process of the sources does the same and is heavier.
 *
 * Modules find their files (schemas, examples) where the sources lie, so the project has to be there.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { projectRoot } from '../setup/resolve.mjs';

const ENTRIES = {
  server: join(projectRoot, 'api/journey-planner/server.ts'),
  'search-thread': join(projectRoot, 'planner/threads/search-thread.ts'),
};

const THREAD_URL = "new URL('./search-thread.ts', import.meta.url)";

/** Of packages as CommonJS, which ask for modules of Node while they run. */
const REQUIRE = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/** `server.mjs`, `search-thread.mjs`, and what they share or import when it is needed. Names are kept, for stacks. */
export async function bundlePlanner(directory: string): Promise<void> {
  const outdir = resolve(directory);
  await build({
    entryPoints: ENTRIES,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Dynamic imports stay dynamic.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: 'none',
    banner: { js: REQUIRE },
    plugins: [besideSources(outdir)],
    absWorkingDir: projectRoot,
    logLevel: 'error',
  });
}

/** `import.meta` of our modules holds in the bundle too. */
function besideSources(outDirectory: string): Plugin {
  const place = (path: string): string =>
    `new URL(${JSON.stringify(relative(outDirectory, path).replaceAll('\\', '/'))}, import.meta.url)`;
  return {
    name: 'beside-sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        // The threads are part of the bundle: else their first start on a machine would strip types, which costs each 10 MB.
        if (text.includes(THREAD_URL))
          return { contents: text.replace(THREAD_URL, THREAD_URL.replace('.ts', '.mjs')), loader: 'ts' };
        const contents = text.replace(/import\.meta\.(url|dirname)/g, (_, what) =>
          what === 'url'
            ? `${place(path)}.href`
            : `process.getBuiltinModule('node:url').fileURLToPath(${place(dirname(path))})`,
        );
        return { contents, loader: 'ts' };
      });
    },
  };
}
