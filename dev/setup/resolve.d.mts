/** Types of resolve.mjs for the local stack and the tests. */
export type PartName = 'temporal' | 'temporal-test-server' | 'mongod' | 'minio' | 'netex-xsd' | 'chromium';
export interface Part {
  readonly name: PartName;
  readonly title: string;
  readonly version?: string;
  readonly for: readonly ('start' | 'test')[];
}
export const projectRoot: string;
export const manifest: { readonly platform: string; readonly parts: readonly Part[] };
export function getPart(name: PartName): Part;
export function findOnPath(command: string, path?: string): string | undefined;
export function findPart(part: Part, env?: Readonly<Record<string, string | undefined>>): string | undefined;
export function serverPath(name: PartName): string;
export function xsdDirectory(): string;
