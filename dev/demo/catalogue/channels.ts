/** Organisations of the demo, and the channels by which they sell. Callers: demo-catalogue.ts. */
import type { GivenChannel, GivenMethod } from '../../../activities/catalogue/given-catalogue.ts';
import { BOOK_PROVIDER, type Organisation } from '../../../activities/shared/catalogue.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';

/** Sells everything, and runs the coaches. */
export const FJORDBUSS = 1 as OrganisationId;
/** Runs the trains. */
export const NORDTOG = 2 as OrganisationId;
const OPERATOR = 1000 as OrganisationId;

const PAYMENT_PAGE = channelId('PaymentPage');

/** Names that are reserved for examples: nobody's site. */
const RETURN_ORIGINS = [
  'shop.example',
  'shop.fjordbuss.example',
  'shop.nordtog.example',
  'example.com',
  'example.org',
].map((host) => `https://${host}`);

/** The numbers have wrong check digits: no organisation has them. */
export const ORGANISATIONS: readonly Organisation[] = [
  {
    id: FJORDBUSS,
    name: 'Fjordbuss',
    defaultDistributionChannelId: PAYMENT_PAGE,
    seller: {
      legalName: 'Fjordbuss AS',
      vatNumber: '915 123 456 MVA',
      address: ['Strandgata 7', '5013 Bergen'],
      contact: 'kundeservice@fjordbuss.example',
    },
  },
  {
    id: NORDTOG,
    name: 'Nordtog',
    seller: {
      legalName: 'Nordtog AS',
      vatNumber: '998 765 432 MVA',
      address: ['Jernbanetorget 1', '7010 Trondheim'],
      contact: 'hjelp@nordtog.example',
    },
  },
  { id: OPERATOR, name: 'Samferd drift' },
];

type Method = Omit<GivenMethod, 'paymentMethodId' | 'active'>;

const SIMULATOR = { provider: 'SIMULATOR' };
const BOOK = { provider: BOOK_PROVIDER };
const VISA: Method = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', name: 'Visa', ...SIMULATOR };
const MASTERCARD: Method = { ...VISA, paymentType: 'MASTERCARD', name: 'Mastercard' };
const AMEX: Method = { ...VISA, paymentType: 'AMEX', name: 'American Express' };
const VIPPS: Method = { paymentTypeGroup: 'MOBILE', paymentType: 'VIPPS', name: 'Vipps', ...SIMULATOR };
const INVOICE: Method = { paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE', name: 'Faktura', ...BOOK };
const CASH: Method = { paymentTypeGroup: 'CASH', paymentType: 'CASH', name: 'Kontant', ...BOOK };
const GIFTCARD: Method = { paymentTypeGroup: 'GIFTCARD', paymentType: 'GIFTCARD', name: 'Gavekort', ...BOOK };

/** The first one that is granted to an organisation is its default. */
export const CHANNELS: readonly GivenChannel[] = [
  {
    id: PAYMENT_PAGE,
    organisationIds: [FJORDBUSS, NORDTOG],
    paymentMethods: methods(1, [VISA, MASTERCARD, VIPPS]),
    refundPaymentTypeGroups: ['PAYMENTCARD', 'MOBILE'],
    autoDistribute: true,
    defaultLanguage: 'nob',
    currency: 'NOK',
    returnOrigins: RETURN_ORIGINS,
  },
  {
    id: channelId('FjordbussApp'),
    organisationIds: [FJORDBUSS],
    paymentMethods: methods(4, [VISA, MASTERCARD, VIPPS]),
    // Money taken by card goes back by the payment page alone.
    refundPaymentTypeGroups: ['MOBILE'],
    autoDistribute: true,
    defaultLanguage: 'nob',
    currency: 'NOK',
    returnOrigins: RETURN_ORIGINS,
  },
  {
    id: channelId('FjordbussKiosk'),
    organisationIds: [FJORDBUSS],
    paymentMethods: methods(7, [VISA, MASTERCARD, CASH]),
    refundPaymentTypeGroups: [],
    autoDistribute: true,
    defaultLanguage: 'nno',
    currency: 'NOK',
    returnOrigins: RETURN_ORIGINS,
  },
  {
    id: channelId('FjordbussBusiness'),
    organisationIds: [FJORDBUSS],
    paymentMethods: methods(10, [VISA, AMEX, INVOICE]),
    refundPaymentTypeGroups: ['PAYMENTCARD', 'INVOICE'],
    autoDistribute: false,
    defaultLanguage: 'eng',
    currency: 'NOK',
    returnOrigins: RETURN_ORIGINS,
  },
  {
    id: channelId('NordtogApp'),
    organisationIds: [NORDTOG],
    paymentMethods: methods(13, [VISA, VIPPS, GIFTCARD]),
    refundPaymentTypeGroups: ['PAYMENTCARD', 'MOBILE', 'GIFTCARD'],
    autoDistribute: true,
    defaultLanguage: 'nob',
    currency: 'NOK',
    returnOrigins: RETURN_ORIGINS,
  },
];

function channelId(name: string): string {
  return `SVC:DistributionChannel:${name}`;
}

function methods(firstId: number, list: readonly Method[]): readonly GivenMethod[] {
  return list.map((method, index) => ({ paymentMethodId: firstId + index, ...method, active: true }));
}
