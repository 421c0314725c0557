/**
 * Reads the demo data of one date as trees. It is independent of its writer: of dev/demo it imports only the entry. The
 * data is made once per run, in a temporary folder. Callers: the tests of the demo data.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { type DemoData, generateDemo } from '../../dev/demo/generate.ts';
import { DEFAULT_ARCHIVE_LIMITS, openArchive, openFileRangeReader, readEntry } from '../../netex/zip/index.ts';

export const DEMO_DATE = '2026-11-21';

export class Tree {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Tree[] = [];
  text = '';
  #byName: Map<string, readonly Tree[]> | undefined;

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.attributes = attributes;
  }

  get id(): string {
    return this.attributes.id ?? '';
  }

  child(name: string): Tree | undefined {
    return this.children.find((child) => child.name === name);
  }

  /** The text of a descendant by its path, undefined when there is none. */
  at(path: string): string | undefined {
    let here: Tree | undefined = this;
    for (const name of path.split('/')) here = here?.child(name);
    return here?.text;
  }

  /** The `ref` of a child element. */
  ref(name: string): string | undefined {
    return this.child(name)?.attributes.ref;
  }

  /** Every descendant of this name, in document order. */
  all(name: string): readonly Tree[] {
    if (this.name !== '') return this.everything().filter((tree) => tree.name === name);
    // Tests ask a file's tree for many names.
    this.#byName ??= Map.groupBy(this.everything(), (tree) => tree.name);
    return this.#byName.get(name) ?? [];
  }

  /** Every descendant, in document order. */
  everything(): readonly Tree[] {
    const found: Tree[] = [];
    const collect = ({ children }: Tree): void => {
      for (const child of children) {
        found.push(child);
        collect(child);
      }
    };
    collect(this);
    return found;
  }
}

export function parseTree(xml: string): Tree {
  const root = new Tree('', {});
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const tree = new Tree(name, attributes as Record<string, string>);
    open.at(-1)?.children.push(tree);
    open.push(tree);
  });
  parser.on('text', (text) => {
    const here = open.at(-1);
    if (here) here.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return root;
}

export interface DemoFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Yields common files first. */
export async function* readArchive(path: string): AsyncGenerator<DemoFile> {
  const reader = await openFileRangeReader(path);
  try {
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    for (const entry of archive.entries) yield { name: entry.name, bytes: await readEntry(archive, entry) };
  } finally {
    await reader.close();
  }
}

export async function listNames(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of readArchive(path)) names.push(name);
  return names;
}

export interface DemoTrees {
  readonly stops: Tree;
  readonly shared: Tree;
  /** Trees of the line files by file name. */
  readonly lines: ReadonlyMap<string, Tree>;
}

const folders: string[] = [];
let data: Promise<DemoData> | undefined;
let trees: Promise<DemoTrees> | undefined;

export function useDemoData(): Promise<DemoData> {
  data ??= generateDemo({ date: DEMO_DATE, directory: temporaryFolder() });
  return data;
}

export function useDemoTrees(): Promise<DemoTrees> {
  trees ??= readTrees();
  return trees;
}

/** A folder that is removed when the process ends. */
export function temporaryFolder(): string {
  if (folders.length === 0) process.once('exit', removeFolders);
  const folder = mkdtempSync(join(tmpdir(), 'demo-data-'));
  folders.push(folder);
  return folder;
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

async function readTrees(): Promise<DemoTrees> {
  const { stopRegister, timetable } = await useDemoData();
  const text = new TextDecoder('utf-8', { fatal: true });
  const lines = new Map<string, Tree>();
  for (const path of [stopRegister, timetable]) {
    for await (const { name, bytes } of readArchive(path)) lines.set(name, parseTree(text.decode(bytes)));
  }
  const take = (name: string): Tree => {
    const tree = lines.get(name);
    lines.delete(name);
    if (!tree) throw new Error(`The demo data has no file ${name}`);
    return tree;
  };
  return { stops: take('_stops.xml'), shared: take('_DEM_shared_data.xml'), lines };
}
