/**
 * Makes names that sound like the coast of Norway without being real places. Each is used once. Callers: the modules
 * that draw the demo region.
 */
import { createRandom } from './random.ts';

const FIRST = (
  'Lang Stor Lille Sand Bjørke Furu Gran Hassel Molte Rein Elg Orre Tjeld Skarv Lunde Ærfugl Svane Kråke Rogne Osp Selje ' +
  'Torsk Sild Laks Ørret Steinbit Tare Skjell Lyng Myr Vind Stille Sol Måne Nord Vest Øst Sør Midt Ytter Inner Øver ' +
  'Neder Gammel Ny Grå Svart Kvit Grønn Blå'
).split(' ');
const LAST = (
  'vik nes bukt dal haug åsen myra lia bakken tunet sletta odden holmen sundet vågen berget kollen enga moen skaret ' +
  'brekka støa tangen fjellet vatnet elva fossen brua'
).split(' ');
const STREET = ' veien| skole| kirke| kryss| senter| barnehage| idrettspark|torget| brygge|hagen'.split('|');

export interface Names {
  /** Returns the name of a village, valley or bay. */
  place(): string;
  /** Returns the name of a stop in a street of a town. */
  street(): string;
}

export function createNames(seed: string): Names {
  const random = createRandom(`${seed}/names`);
  const given = new Set<string>();
  const unused = (make: () => string): string => {
    for (let tries = 0; tries < 10_000; tries++) {
      const name = make();
      if (given.has(name)) continue;
      given.add(name);
      return name;
    }
    throw new Error('All demo names are given out: add parts to dev/demo/names.ts');
  };
  const place = (): string => `${random.pick(FIRST)}${random.pick(LAST)}`;
  return {
    place: () => unused(place),
    street: () =>
      unused(() => {
        if (random.chance(0.45)) return place();
        const suffix = random.pick(STREET);
        return suffix === ' veien' ? `${place()}veien` : `${place()}${suffix}`;
      }),
  };
}

/** Replaces Norwegian letters and spaces, for file names. */
export function toFileName(text: string): string {
  return text
    .replaceAll('æ', 'ae')
    .replaceAll('Æ', 'Ae')
    .replaceAll('ø', 'o')
    .replaceAll('Ø', 'O')
    .replaceAll('å', 'a')
    .replaceAll('Å', 'A')
    .replaceAll(/[^0-9A-Za-z]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
}
