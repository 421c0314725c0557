/** Preferences of a profile: any JSON under a key. */
import type { Preference } from '../../activities/customers/customer-types.ts';
import type { Schemas } from './contract.gen.ts';
import { invalidMember } from './requests.ts';

const VALUE_MAX_BYTES = 4_096;

export const preferences = {
  segment: 'preferences',
  idOf: ({ key }: Preference) => key,
  contentOf: ({ key, value }: Schemas['PreferenceRequest']) => checked({ key, value }),
  replacementOf: ({ key, value }: Schemas['PreferenceReplacement'], keyInPath: string) => {
    if (key !== undefined && key !== keyInPath) throw invalidMember('/key', 'CONST', 'must be the key in the path');
    return checked({ key: keyInPath, value });
  },
  present: ({ key, value }: Preference) => ({ key, value }),
} as const;

function checked(preference: Preference): Preference {
  if (Buffer.byteLength(JSON.stringify(preference.value)) > VALUE_MAX_BYTES) {
    throw invalidMember('/value', 'MAX_LENGTH', `must not be longer than ${VALUE_MAX_BYTES} bytes of JSON`);
  }
  return preference;
}
