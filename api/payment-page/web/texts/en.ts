/** The customer's page in English. */
import type { PageTexts } from './page-texts.ts';

const MODES: Readonly<Record<string, string>> = {
  bus: 'Bus',
  coach: 'Coach',
  rail: 'Train',
  tram: 'Tram',
  metro: 'Metro',
  water: 'Boat',
  air: 'Flight',
};

export const en: PageTexts = {
  language: 'English',
  languages: 'Language',
  skip: 'To the content',
  error: 'Error',
  open: {
    title: 'Pay for your order',
    toPay: 'To pay',
    payBefore: (time) => `Pay before ${time}.`,
    choose: 'Choose how to pay',
    chooseHint: 'You go to the page of the payment provider, and come back here when you have paid.',
    pay: (amount, method) => `Pay ${amount} with ${method}`,
    noMethods: 'No way to pay is open right now. Please contact the seller.',
  },
  held: {
    title: 'Nothing is to be paid now',
    paragraphs: [
      'Money of this order is being paid back. Until that is done, you do not owe anything.',
      'Load the page again later, or contact the seller if you have questions.',
    ],
  },
  order: {
    title: 'Your order',
    count: (travellers) => (travellers === 1 ? '1 traveller' : `${travellers} travellers`),
    supplements: 'Supplements',
    valid: (from, until) => `Valid from ${from} to ${until}`,
    seats: 'Seats',
    seat: (carriage, seat) => `carriage ${carriage}, seat ${seat}`,
    stops: (between) => (between === 1 ? '1 stop on the way' : `${between} stops on the way`),
    leg: (mode) => MODES[mode ?? ''] ?? 'Journey',
    fees: {
      MANUAL: 'Fee',
      REFUNDING: 'Refund fee',
      ONBOARD: 'On-board supplement',
      CHANGE: 'Change fee',
      INVOICE: 'Invoice fee',
      CHANGE_NON_REFUNDABLE: 'Fee for a change without refund',
      PENALTY: 'Penalty fare',
      BOOKING: 'Booking fee',
      REDUCTION: 'Reduction',
    },
    otherFee: 'Fee',
    total: 'Total',
    paid: 'Paid earlier',
    rest: 'To pay',
    vat: (rate) => `Of which VAT ${rate}`,
    mixedVat: 'Of which VAT, several rates',
    ofBase: (base) => `of ${base}`,
  },
  processing: {
    title: 'Your payment is on its way',
    paragraphs: ['We are waiting for the answer about your payment. This page changes when it comes.'],
    goOn: 'Go on with the payment',
    goOnHint: 'Have you not finished paying? Go back to the payment provider.',
    other: 'Choose another way to pay',
    otherHint:
      'Would you rather pay in another way? We then stop the payment that is under way, unless it has gone through already.',
    refresh: 'Look for the answer now',
    returned: {
      title: 'We are checking your payment',
      paragraphs: ['Please wait: this usually takes some seconds. You do not need to pay again.'],
      choices: 'Does it take long? See what you can do',
    },
  },
  paid: {
    title: 'Thank you! We have received your payment',
    paragraphs: ['Your order is confirmed. You get tickets and receipt from the seller.'],
  },
  paidUndelivered: {
    title: 'Thank you! We have received your payment',
    paragraphs: [
      'Your order is confirmed, but we could not send all of the tickets and the receipt.',
      'Please contact the seller and give the order number.',
    ],
  },
  completed: {
    title: 'Thank you! Your order is paid',
    paragraphs: ['Tickets and receipt were sent by e-mail. If you do not find them, look in your spam folder.'],
  },
  completedUnaddressed: {
    title: 'Thank you! Your order is paid',
    paragraphs: [
      'Your order is confirmed, and your tickets are ready. We have no e-mail address for you, so nothing was sent by e-mail.',
      'You get tickets and receipt from the seller. Please contact the seller and give the order number.',
    ],
  },
  credited: {
    title: 'Your money has been paid back',
    paragraphs: [
      'Your payment came in, but the order could not be confirmed. So we have paid all of it back to you.',
      'It may take some days until the money is in your account. You have no ticket. Contact the seller if you want to order again.',
    ],
  },
  creditOutstanding: {
    title: 'Your payment could not be paid back automatically',
    paragraphs: [
      'Your payment came in, but the order could not be confirmed. Your money could not be paid back the way you paid it.',
      'You have no ticket, and do not need to pay again. The seller knows about it and decides how to settle it.',
      'Contact the seller if you have questions, and give the order number.',
    ],
  },
  reference: (orderId) => `Order number ${orderId}`,
  seller: (name) => `Seller: ${name}`,
  notices: {
    REFUSED: {
      title: 'Your card was refused',
      text: 'Your bank did not accept the payment, and nothing was taken. Try again, or choose another way to pay.',
    },
    CANCELLED: {
      title: 'The payment was cancelled',
      text: 'Nothing was taken. Your order waits for you until its time is over.',
    },
    FAILED: {
      title: 'The payment was not completed',
      text: 'Nothing was taken. Try again, or choose another way to pay.',
    },
    ORDER_CHANGED: {
      title: 'Your order has changed',
      text: 'It changed while you were paying. So we stopped the payment, and nothing was taken. Check the content and the amount, and pay again.',
    },
    CHANGED: {
      title: 'Your order has changed',
      text: 'It changed while you had this page open, and nothing was taken. Check the content and the amount before you pay.',
    },
    BUSY: {
      title: 'A payment is under way already',
      text: 'We are waiting for the answer about it. You do not need to pay again.',
    },
    METHOD: {
      title: 'This way to pay cannot be used',
      text: 'Nothing was taken. Choose another way to pay.',
    },
    STOPPED: {
      title: 'The payment provider does not answer',
      text: 'Nothing was taken. Wait a minute and try again, or choose another way to pay.',
    },
  },
  notValid: {
    title: 'Link not valid',
    paragraphs: [
      'It may have expired, been used, or been written wrongly. Check that you have the whole link.',
      'Contact the one you ordered from if you need a new link.',
    ],
  },
  tooMany: {
    title: 'Too many tries',
    paragraphs: ['Many links that are not valid have come from here. Wait a minute and try again.'],
  },
  fault: {
    title: 'Something went wrong on our side',
    paragraphs: [
      'We do not know whether the page could do what you asked. Wait a little and load it again: it shows how things stand.',
      'You never pay twice for the same order.',
    ],
  },
  refused: {
    title: 'This could not be done',
    paragraphs: ['The page received something that it does not understand. Open the link again and try once more.'],
  },
};
