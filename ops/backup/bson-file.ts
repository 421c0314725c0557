/**
 * A collection as a file: its documents' BSON one after the other, gzip, sealed. Read and written document by document,
 * in constant memory; counted and hashed on the way. Callers: back-up and restore of documents.
 */
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { SealedFile } from './sealed-file.ts';
import { UserError } from './user-error.ts';

export interface DocumentFacts {
  readonly documents: number;
  readonly bytes: number;
  readonly sha256: string;
}

const SMALLEST_DOCUMENT_BYTES = 5;
/** The database stores up to 16 MiB, and takes a little more on the wire. */
const LARGEST_DOCUMENT_BYTES = 17 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Sealed data does not shrink, and the disk is slower than this. */
const GZIP_LEVEL = 1;

/** Counts and hashes the documents that pass. */
export class DocumentCount {
  #documents = 0;
  #bytes = 0;
  readonly #hash = createHash('sha256');

  add(document: Uint8Array): void {
    this.#documents += 1;
    this.#bytes += document.length;
    this.#hash.update(document);
  }

  facts(): DocumentFacts {
    return { documents: this.#documents, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

export async function writeBsonFile(file: SealedFile, documents: AsyncIterable<Uint8Array>): Promise<DocumentFacts> {
  const count = new DocumentCount();
  async function* chunks() {
    let gathered: Uint8Array[] = [];
    let gatheredBytes = 0;
    for await (const document of documents) {
      count.add(document);
      gathered.push(document);
      gatheredBytes += document.length;
      if (gatheredBytes < CHUNK_BYTES) continue;
      yield Buffer.concat(gathered);
      [gathered, gatheredBytes] = [[], 0];
    }
    yield Buffer.concat(gathered);
  }
  await file.write(pipeline(Readable.from(chunks()), createGzip({ level: GZIP_LEVEL }), () => undefined));
  return count.facts();
}

/** Throws UserError if the file is damaged or cut. */
export async function* readBsonFile(file: SealedFile): AsyncGenerator<Uint8Array> {
  const { path } = file;
  const unpacked = pipeline(Readable.from(file.read()), createGunzip(), () => undefined);
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      for (let size = sizeAt(rest, at, path); size !== undefined; size = sizeAt(rest, at, path)) {
        yield rest.subarray(at, at + size);
        at += size;
      }
      rest = rest.subarray(at);
    }
  } catch (error) {
    throw error instanceof UserError ? error : damaged(path, error);
  }
  if (rest.length > 0) throw damaged(path);
}

/** Undefined until the whole document is present. */
function sizeAt(bytes: Buffer, at: number, path: string): number | undefined {
  if (bytes.length - at < SMALLEST_DOCUMENT_BYTES) return undefined;
  const size = bytes.readInt32LE(at);
  if (size < SMALLEST_DOCUMENT_BYTES || size > LARGEST_DOCUMENT_BYTES) throw damaged(path);
  return bytes.length - at < size ? undefined : size;
}

function damaged(path: string, cause?: unknown): UserError {
  return new UserError(`${path} is damaged`, { cause });
}

/** Throws UserError unless the file holds exactly these documents. */
export async function checkBsonFile(file: SealedFile, expected: DocumentFacts): Promise<void> {
  const count = new DocumentCount();
  for await (const document of readBsonFile(file)) count.add(document);
  if (!isSame(count.facts(), expected)) throw damaged(file.path);
}

export function isSame(found: DocumentFacts, expected: DocumentFacts): boolean {
  return found.documents === expected.documents && found.bytes === expected.bytes && found.sha256 === expected.sha256;
}
