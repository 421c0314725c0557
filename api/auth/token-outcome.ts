/** Outcomes of a token request, for log and metrics. The caller never sees them. */
import type { ClientRefusal } from '../../activities/auth/client-authentication.ts';

export type TokenOutcome =
  | ClientRefusal
  | 'issued'
  | 'malformed request'
  | 'password grant'
  | 'other grant type'
  | 'other audience'
  | 'scope not granted';

/** All outcomes. The compiler checks that none is missing. */
const ALL: Readonly<Record<TokenOutcome, true>> = {
  issued: true,
  'malformed request': true,
  'password grant': true,
  'other grant type': true,
  'unknown client': true,
  'disabled client': true,
  'untrusted client': true,
  'wrong secret': true,
  'wrong assertion': true,
  'unfit assertion': true,
  'assertion used before': true,
  'too many failures': true,
  'other audience': true,
  'scope not granted': true,
};

export const TOKEN_OUTCOMES = Object.keys(ALL) as readonly TokenOutcome[];
