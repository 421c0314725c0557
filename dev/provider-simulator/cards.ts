/** The numbers that the simulator takes, and how each behaves. No other number is taken, so no real card ever gets here. */

export type CardBehaviour =
  | 'ACCEPTED'
  | 'CHALLENGE'
  | 'FAILING_CHALLENGE'
  | 'REFUSED_AT_CAPTURE'
  | 'UNANSWERED_CAPTURE'
  | 'PENDING_CAPTURE'
  | 'UNRULY_REPORTS'
  | 'NO_REFUNDS';

export interface TestCard {
  readonly number: string;
  readonly brand: 'VISA' | 'MASTERCARD';
  readonly behaviour: CardBehaviour;
}

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4111111111111111', brand: 'VISA', behaviour: 'ACCEPTED' },
  { number: '5555555555554444', brand: 'MASTERCARD', behaviour: 'ACCEPTED' },
  { number: '4000002500003155', brand: 'VISA', behaviour: 'CHALLENGE' },
  { number: '4000008400001629', brand: 'VISA', behaviour: 'FAILING_CHALLENGE' },
  { number: '4000000000000002', brand: 'VISA', behaviour: 'REFUSED_AT_CAPTURE' },
  { number: '4000000000000259', brand: 'VISA', behaviour: 'UNANSWERED_CAPTURE' },
  { number: '4000000000000077', brand: 'VISA', behaviour: 'PENDING_CAPTURE' },
  { number: '4000000000000101', brand: 'VISA', behaviour: 'UNRULY_REPORTS' },
  { number: '4000000000005126', brand: 'VISA', behaviour: 'NO_REFUNDS' },
];

/** Takes spaces and hyphens between the digits, as people write them. */
export function findTestCard(written: string): TestCard | undefined {
  const number = written.replace(/[\s-]/g, '');
  return TEST_CARDS.find((card) => card.number === number);
}

export function grouped(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}
