/** Types of resolve.mjs for the local stack and the tests. */
export type PartName =
  | 'temporal'
  | 'temporal-test-server'
  | 'mongod'
  | 'minio'
  | 'caddy'
  | 'temporal-server'
  | 'netex-xsd'
  | 'kafka'
  | 'stripe-mock'
  | 'chromium'
  | 'schemathesis'
  | 'barcode-readers'
  | 'pdf-readers'
  | 'verapdf'
  | 'key-management';
export interface Part {
  readonly name: string;
  readonly title: string;
  readonly from: 'wheel' | 'go' | 'maven' | 'jars' | 'debian' | 'pip';
  readonly for: readonly ('start' | 'test')[];
  readonly package: string;
  readonly version?: string;
  readonly sha256?: string;
  readonly memberSha256?: string;
  readonly goSum?: string;
  /** Of a program that is compiled: about how many packages, and how long one processor works on them. */
  readonly packages?: number;
  readonly processorSeconds?: number;
  readonly command?: string;
  readonly folder?: string;
  /** A list of Python packages beside the manifest; `sha256` is its own. */
  readonly requirements?: string;
  /** A program of jars, beside the manifest: its dependencies, and a list of their checksums; `sha256` is that of the list. */
  readonly pom?: string;
  readonly jars?: string;
  /** Without it its tests are skipped, except in continuous integration. */
  readonly optional?: boolean;
  /** The variable with the address of a server of the user's own. */
  readonly instead?: string;
  /** The variable with the path of a program of the user's own. */
  readonly ownPath?: string;
  readonly smoke?: readonly string[];
}
export const projectRoot: string;
export const manifest: { readonly platform: string; readonly parts: readonly Part[] };
export function getPart(name: PartName): Part;
export function findOnPath(command: string, path?: string): string | undefined;
export function findPart(part: Part, env?: Readonly<Record<string, string | undefined>>): string | undefined;
export function expectedServerPath(name: PartName): string;
export function serverPath(name: PartName): string;
export function xsdDirectory(): string;
