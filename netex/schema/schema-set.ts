/**
 * The XSD versions of a folder, compiled when a file first needs one.
 *
 * Callers: `validateFile`. Compiling takes 5–13 s and 80 MB a version. So compiled schemas are kept for the life of
 * the thread, and as images on disk if a folder is given; see compiled-schemas.ts. Synchronous; reads only files
 * under its folders, never the network.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { decodeXml, detectXmlEncoding, ENCODING_HEAD_BYTES, XmlEncodingError } from '../xml/decode.ts';
import type { ScanListener } from '../xml/scan.ts';
import { type Checked, checkDocument } from './check-document.ts';
import { checkInWindows } from './check-in-windows.ts';
import { type CompiledSchema, findCompiled, getCompiled, type SchemaSource } from './compiled-schemas.ts';
import { createConstraintListener } from './constraint-listener.ts';
import { type ConstraintIndex, readConstraints } from './constraints.ts';
import { DOCTYPE_MESSAGE, findDoctype } from './doctype.ts';
import { readListContainers } from './list-containers.ts';
import type { SchemaDefect, SchemaOutcome } from './schema-outcome.ts';
import { compareVersions, declaredVersion, findVersion } from './schema-version.ts';

const CONSTRAINED = 'NeTEx_publication.xsd';
const UNCONSTRAINED = 'NeTEx_publication-NoConstraint.xsd';
/** Any absolute path: libxml2 resolves includes against it, {@link folderReader} maps it to the folder. */
const VIRTUAL_ROOT = '/netex-xsd/';

const constraintIndexes = new Map<string, ConstraintIndex>();
const listContainers = new Map<string, ReadonlySet<string>>();

export interface SchemaSetOptions {
  /** Called before and after a version is compiled, which takes seconds, or loaded from its image. */
  readonly onCompile?: (version: string, done: boolean) => void;
  /** Larger files are checked in windows: as a tree, a file takes 4 to 20 times its size. */
  readonly wholeBytes?: number;
  readonly windowLetters?: number;
  /** Folder for images of compiled versions; no images without it. No other program may write there. */
  readonly imageDirectory?: string | undefined;
}

const WHOLE_BYTES = 16 * 1024 * 1024;
const WINDOW_LETTERS = 512 * 1024;

export class SchemaSet {
  /** Oldest first. */
  readonly versions: readonly string[];
  readonly #folder: string;
  readonly #options: SchemaSetOptions;

  private constructor(folder: string, versions: readonly string[], options: SchemaSetOptions) {
    this.#folder = resolve(folder);
    this.versions = versions;
    this.#options = options;
  }

  static open(xsdDirectory: string, options: SchemaSetOptions = {}): SchemaSet {
    const versions = readdirSync(xsdDirectory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
      .map((entry) => entry.name)
      .sort(compareVersions);
    if (versions.length === 0) throw new Error(`The folder ${xsdDirectory} holds no NeTEx XSD versions.`);
    return new SchemaSet(xsdDirectory, versions, options);
  }

  /** The version to check by: the declared one if its XSDs exist, else the latest. */
  resolve(declared: string | undefined): string {
    const known = declared === undefined ? undefined : findVersion(this.versions, declared);
    return known ?? (this.versions.at(-1) as string);
  }

  /** The version to check a file by. */
  versionOf(bytes: Uint8Array): string {
    return this.resolve(declaredVersion(bytes));
  }

  /** Compiles a version ahead of the first file that needs it. */
  warmUp(version: string): void {
    this.#schema(version);
    this.#constraints(version);
  }

  check(bytes: Uint8Array): SchemaOutcome {
    const { wholeBytes = WHOLE_BYTES } = this.#options;
    try {
      return bytes.length > wholeBytes ? this.#checkLarge(bytes) : this.#checkWhole(bytes);
    } catch (error) {
      if (!(error instanceof XmlEncodingError)) throw error;
      return broken(error.message, error.line ?? null, null);
    }
  }

  #checkWhole(bytes: Uint8Array): SchemaOutcome {
    const utf8 = toUtf8(bytes);
    const doctype = findDoctype(utf8);
    if (doctype) return broken(DOCTYPE_MESSAGE, doctype.line, doctype.column);
    const version = this.versionOf(bytes);
    return outcome(
      version,
      checkDocument(
        { find: () => findCompiled(join(this.#folder, version)), get: () => this.#schema(version) },
        utf8,
        () => decodeXml(bytes),
      ),
    );
  }

  #checkLarge(bytes: Uint8Array): SchemaOutcome {
    const version = this.versionOf(bytes);
    const { windowLetters = WINDOW_LETTERS } = this.#options;
    return outcome(
      version,
      checkInWindows(
        () => this.#schema(version),
        () => this.#lists(version),
        windowLetters,
        decodeXml(bytes),
      ),
    );
  }

  /**
   * Evaluates the version's unique, key and keyref constraints during a scan of the file; call `finish` after the
   * last element. For files that passed {@link check}.
   */
  createConstraintListener(version: string, report: (defect: SchemaDefect) => void): ScanListener & { finish(): void } {
    return createConstraintListener(this.#constraints(version), report);
  }

  #schema(version: string): CompiledSchema {
    const xsdFolder = join(this.#folder, version);
    const compile: SchemaSource['compile'] = (libxml2) =>
      libxml2.compileSchema(VIRTUAL_ROOT + UNCONSTRAINED, folderReader(xsdFolder));
    const known = findCompiled(xsdFolder) !== undefined;
    if (!known) this.#options.onCompile?.(version, false);
    const made = getCompiled({ xsdFolder, version, imageDirectory: this.#options.imageDirectory, compile });
    if (!known) this.#options.onCompile?.(version, true);
    return made;
  }

  #lists(version: string): ReadonlySet<string> {
    const path = join(this.#folder, version, UNCONSTRAINED);
    const lists = listContainers.get(path) ?? readListContainers(path);
    listContainers.set(path, lists);
    return lists;
  }

  #constraints(version: string): ConstraintIndex {
    const path = join(this.#folder, version, CONSTRAINED);
    let index = constraintIndexes.get(path);
    if (index === undefined) {
      index = readConstraints(readFileSync(path));
      constraintIndexes.set(path, index);
    }
    return index;
  }
}

function outcome(version: string, checked: Checked): SchemaOutcome {
  return { version: checked.wellFormed ? version : null, ...checked, capped: false };
}

function broken(message: string, line: number | null, column: number | null): SchemaOutcome {
  const defects = [{ message, objectId: null, line, column }];
  return { version: null, wellFormed: false, defects, count: 1, warnings: [], capped: false };
}

/** The same bytes if they are UTF-8 already, as nearly always. */
function toUtf8(bytes: Uint8Array): Uint8Array {
  const { encoding } = detectXmlEncoding(bytes.subarray(0, ENCODING_HEAD_BYTES));
  if (encoding === 'utf-8') return bytes;
  return Buffer.from([...decodeXml(bytes)].join(''));
}

function folderReader(folder: string): (path: string) => Uint8Array | undefined {
  return (path) => {
    if (!path.startsWith(VIRTUAL_ROOT)) return undefined;
    const file = join(folder, path.slice(VIRTUAL_ROOT.length));
    return file.startsWith(folder + sep) && existsSync(file) ? readFileSync(file) : undefined;
  };
}
