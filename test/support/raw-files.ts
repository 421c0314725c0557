/**
 * Searches files on the disk for many texts at once: the data, journal and oplog of the database, the objects,
 * Temporal's database, logs, back-ups. Reads each byte once, however many texts there are.
 */
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ManyTexts, type Needle } from './many-texts.ts';
import { type Found, needlesOf } from './remains.ts';

const PIECE_BYTES = 4 * 1024 * 1024;

/** `place` of what is found: the path below `directory`. Each text is reported once per file. */
export async function findInFiles(directory: string, texts: readonly string[]): Promise<Found[]> {
  return await findBytesInFiles(directory, needlesOf(texts));
}

export async function findBytesInFiles(directory: string, needles: readonly Needle[]): Promise<Found[]> {
  const search = new ManyTexts(needles);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const found: Found[] = [];
  for (const file of await listFiles(directory)) {
    const place = relative(directory, file);
    for (const { text, form } of await findIn(file, search, piece)) found.push({ text, form, place });
  }
  return found;
}

export async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function findIn(file: string, search: ManyTexts, piece: Buffer): Promise<readonly Needle[]> {
  try {
    const handle = await open(file);
    return await findInPieces(handle, search, piece).finally(() => handle.close());
  } catch (error) {
    // Servers remove files while they run.
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}

/** Each piece begins with the end of the one before, as a text may lie across both. */
async function findInPieces(handle: FileHandle, search: ManyTexts, piece: Buffer): Promise<readonly Needle[]> {
  const found = new Map<string, Needle>();
  for (let kept = 0; ; ) {
    const { bytesRead } = await handle.read(piece, kept, piece.length - kept);
    if (bytesRead === 0) return [...found.values()];
    const end = kept + bytesRead;
    for (const needle of search.find(piece.subarray(0, end))) found.set(needle.text, needle);
    kept = Math.min(search.longest, end);
    piece.copyWithin(0, end - kept, end);
  }
}
