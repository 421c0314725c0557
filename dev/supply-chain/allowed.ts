/**
 * Exceptions that the check of the supply chain accepts, each with its reason. Callers: check.ts. Change it with care:
 * it is a decision.
 */

/** Licences of the packages that production runs, by SPDX identifier. All let a service be run and its source be published. */
export const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
]);

export interface LicenceException {
  readonly name: string;
  /** The package's own text; empty when there is none. */
  readonly says: string;
  readonly reason: string;
  /** When this was decided. */
  readonly date: string;
}

export const LICENCE_EXCEPTIONS: readonly LicenceException[] = [
  {
    name: '@expo-google-fonts/inter',
    says: 'MIT AND OFL-1.1',
    reason:
      'the SIL Open Font License lets a font be embedded in documents of any licence; the service does not sell it',
    date: '2026-11-24',
  },
  {
    name: 'png-js',
    says: '',
    reason: 'its manifest names no licence; its repository and its file LICENSE hold the text of the MIT licence',
    date: '2026-11-24',
  },
  {
    name: 'caniuse-lite',
    says: 'CC-BY-4.0',
    reason: 'data on browsers, read by a build tool below the Temporal worker; the service does not pass it on',
    date: '2026-11-23',
  },
  {
    name: 'unionfs',
    says: '',
    reason: 'its manifest names no licence; its repository holds the text of the Unlicense',
    date: '2026-11-23',
  },
];

export interface AllowedAdvisory {
  /** As `GHSA-xxxx-xxxx-xxxx`. */
  readonly id: string;
  readonly package: string;
  /** Why the service is not affected, or what protects it meanwhile. */
  readonly reason: string;
  /** The check fails again from this day on. */
  readonly until: string;
}

export const ALLOWED_ADVISORIES: readonly AllowedAdvisory[] = [];
