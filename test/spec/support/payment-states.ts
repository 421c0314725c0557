/** One payment in each state that the table of states names. */
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import { COMMANDS } from '../../rules/payment-commands.ts';
import { later } from '../../support/sample-orders.ts';
import { authorisedPayment, capturedPayment, createdPayment, openPayment } from '../../support/sample-payments.ts';

/** When the commands of the table come. */
export const AT = later(1);

function then(payment: Payment, ...commands: readonly string[]): Payment {
  return commands.reduce((before, name) => {
    const command = COMMANDS[name];
    if (!command) throw new Error(`${name} is no command`);
    return command(before, AT).payment;
  }, payment);
}

const DECLINED = ['beginCapture', 'noteSoftDecline'];
const ROUND = [...DECLINED, 'noteChallengePassed'];

export const STATES: Readonly<Record<string, () => Payment>> = {
  CREATED: createdPayment,
  BOOK: () => createdPayment({ provider: 'BOOK', paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE' }),
  OPENING: () => then(createdPayment(), 'prepareTerminal'),
  OPEN: openPayment,
  SESSION_ENDED: () => then(openPayment(), 'noteSessionEnded'),
  AUTHORISED: authorisedPayment,
  CAPTURING: () => then(authorisedPayment(), 'beginCapture'),
  DECLINED: () => then(authorisedPayment(), ...DECLINED),
  LAST_ROUND: () => then(authorisedPayment(), ...ROUND, ...ROUND, ...ROUND, ...ROUND, 'beginCapture'),
  VOIDING: () => then(authorisedPayment(), 'cancelTransaction'),
  CAPTURED: capturedPayment,
  CREDITING: () => then(capturedPayment(), 'reserveCredit'),
  CREDITED: () => then(capturedPayment(), 'reserveCredit', 'noteCredited'),
  CREDIT_FAILED: () => then(capturedPayment(), 'reserveCredit', 'noteCredited', 'noteCreditFailed'),
  DISPUTED: () => then(capturedPayment(), 'noteDispute'),
  REJECTED: () => then(authorisedPayment(), 'beginCapture', 'noteCaptureRefused'),
  CANCELLED: () => then(openPayment(), 'cancelTransaction', 'noteVoided'),
  INACTIVE: () => then(authorisedPayment(), 'deactivate'),
};
