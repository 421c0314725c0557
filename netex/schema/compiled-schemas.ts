/**
 * The compiled schemas of this thread, each in a libxml2 instance of its own, so that a version can be loaded from
 * its memory image. At most {@link MAXIMUM_COMPILED}; the least recently used one is replaced. Caller: SchemaSet.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Libxml2, type Pointer } from './libxml2.ts';
import { readImage, writeImage } from './schema-images.ts';

export interface CompiledSchema {
  readonly libxml2: Libxml2;
  readonly schema: Pointer;
}

export interface SchemaSource {
  /** Folder of the version's XSDs; identifies the schema. */
  readonly xsdFolder: string;
  readonly version: string;
  readonly imageDirectory: string | undefined;
  readonly compile: (libxml2: Libxml2) => Pointer;
}

const MAXIMUM_COMPILED = 4;

/**
 * Instances start asynchronously, but schemas are requested synchronously. So all instances start now; they are small
 * until used.
 */
const instances = await Promise.all(Array.from({ length: MAXIMUM_COMPILED }, () => Libxml2.create()));
/** The memory of an unused instance. */
const EMPTY = zstdCompressSync(instances[0]?.copyMemory() ?? new Uint8Array());
/** By folder of XSDs, least recently used first. */
const compiled = new Map<string, CompiledSchema>();

/** For documents that need no schema. */
export const [parser] = instances as [Libxml2];

/** Bytes of all WebAssembly memories of this thread. */
export function schemaMemoryBytes(): number {
  return instances.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
}

export function findCompiled(xsdFolder: string): CompiledSchema | undefined {
  return compiled.get(xsdFolder);
}

/** Compiles the schema or loads its image. No document may be open in any instance. */
export function getCompiled(source: SchemaSource): CompiledSchema {
  const found = compiled.get(source.xsdFolder) ?? makeCompiled(source);
  compiled.delete(source.xsdFolder);
  compiled.set(source.xsdFolder, found);
  return found;
}

function makeCompiled({ xsdFolder, version, imageDirectory, compile }: SchemaSource): CompiledSchema {
  const libxml2 = takeInstance();
  const image = imageDirectory === undefined ? undefined : readImage(imageDirectory, version, xsdFolder);
  if (image) {
    libxml2.restoreMemory(image.memory);
    return { libxml2, schema: image.schema };
  }
  libxml2.restoreMemory(zstdDecompressSync(EMPTY));
  const schema = compile(libxml2);
  if (imageDirectory !== undefined)
    writeImage(imageDirectory, version, xsdFolder, { schema, memory: libxml2.copyMemory() });
  return { libxml2, schema };
}

function takeInstance(): Libxml2 {
  const used = new Set([...compiled.values()].map(({ libxml2 }) => libxml2));
  const free = instances.find((instance) => !used.has(instance));
  if (free) return free;
  const [oldest] = compiled as Iterable<[string, CompiledSchema]>;
  if (!oldest) throw new Error('There is no libxml2 instance');
  compiled.delete(oldest[0]);
  return oldest[1].libxml2;
}
