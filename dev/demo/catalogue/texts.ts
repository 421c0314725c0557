/** Texts and amounts as a catalogue has them. Callers: the parts of the demo catalogue. */
import { formatAmount } from '../../../workflows/shared/money.ts';
import type { Text } from '../../../workflows/shared/text.ts';

const MINOR_PER_KRONE = 100;

/** In both forms of Norwegian where they differ, and in English. */
export function texts(nob: string, eng: string, nno = nob): readonly Text[] {
  return [
    { lang: 'nob', value: nob },
    { lang: 'nno', value: nno },
    { lang: 'eng', value: eng },
  ];
}

export function kroner(amount: number): string {
  return formatAmount(Math.round(amount * MINOR_PER_KRONE), 'NOK');
}
