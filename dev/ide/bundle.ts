/**
 * Bundles the query page's script and style sheet from `api/journey-planner/ide/page` and its packages. It writes two
 * files named for their content, each with a compressed copy beside it, and `manifest.json`, which names them. Fonts
 * are left out: the page uses the system's.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { projectRoot } from '../setup/resolve.mjs';

export const PAGE_FOLDER = join(projectRoot, 'api/journey-planner/ide/page');
const compress = promisify(brotliCompress);

/** GraphiQL's style sheets carry four fonts in 34 files, most of their size. */
const withoutFonts: Plugin = {
  name: 'without-fonts',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules.*\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/@font-face\s*\{[^}]*\}/g, ''),
      loader: 'css',
    }));
  },
};

export async function bundlePage(directory: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: { page: join(PAGE_FOLDER, 'main.tsx') },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: ['es2022'],
    outdir: directory,
    jsx: 'automatic',
    legalComments: 'eof',
    // The second name is where a bundler's own nonce would be: the page sets ours.
    define: { 'process.env.NODE_ENV': '"production"', __webpack_nonce__: 'styleNonce' },
    plugins: [withoutFonts],
    absWorkingDir: projectRoot,
    logLevel: 'error',
  });
  await mkdir(directory, { recursive: true });
  const manifest: Record<string, string> = {};
  for (const { path, contents } of outputFiles) {
    const extension = path.endsWith('.css') ? 'css' : 'js';
    const name = `page-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.${extension}`;
    manifest[extension] = name;
    await writeFile(join(directory, name), contents);
    const compressed = await compress(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    await writeFile(join(directory, `${name}.br`), compressed);
  }
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
}
