/** A page with everything that a page can show, and the server of pages with a backend that says what a test tells it. */
import type {
  LineView,
  LinkedPage,
  PageView,
  PaymentPageAccess,
} from '../../../../activities/payment-page/page-types.ts';
import { createPageRouter } from '../../../../api/payment-page/web/page-router.ts';
import { WrongLinks } from '../../../../api/payment-page/web/wrong-links.ts';
import { createApp } from '../../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../../api/shared/serve.ts';
import { parseProxies } from '../../../../api/shared/trusted-proxies.ts';
import type { Logger } from '../../../../platform/log.ts';
import type { OrderId, OrganisationId, PaymentPageId } from '../../../../workflows/shared/ids.ts';
import type { Text } from '../../../../workflows/shared/text.ts';
import { silentLog } from '../../support/parcels.ts';

export const ORDER = 'AB23CD45' as OrderId;
export const TOKEN = 'c2VjcmV0LXRva2VuLTEyOA';
export const LINK = `/${ORDER}/${TOKEN}`;
export const TERMINAL = 'https://terminal.example';
export const PAGE: LinkedPage = {
  organisationId: 1 as OrganisationId,
  orderId: ORDER,
  pageId: '0f8fad5b-d9cb-469f-a165-70867728950e' as PaymentPageId,
};

const texts = (nob: string, nno: string, eng: string): readonly Text[] => [
  { lang: 'nob', value: nob },
  { lang: 'nno', value: nno },
  { lang: 'eng', value: eng },
];

const TRAIN: LineView = {
  description: texts(
    'Enkeltbillett tog, refunderbar',
    'Enkeltbillett tog, refunderbar',
    'Single ticket train, refundable',
  ),
  amountMinor: 74_900,
  travellerCount: 3,
  travellers: [
    { name: texts('Voksen', 'Vaksen', 'Adult'), count: 2 },
    { name: texts('Barn', 'Barn', 'Child'), count: 1 },
  ],
  supplements: [texts('Sykkel', 'Sykkel', 'Bicycle')],
  startOfValidity: new Date('2026-12-18T07:05:00Z'),
  endOfValidity: new Date('2026-12-18T14:30:00Z'),
  seats: [
    { carriageNumber: '3', seatNumber: '41' },
    { carriageNumber: '3', seatNumber: '42' },
    { carriageNumber: '3', seatNumber: '43' },
  ],
  legs: [
    {
      mode: 'rail',
      lineId: 'DEM:Line:1',
      departure: new Date('2026-12-18T07:05:00Z'),
      arrival: new Date('2026-12-18T13:42:00Z'),
      from: 'Fjordby stasjon',
      to: 'Nordre Vestlandshavn terminal',
      stops: [
        { name: 'Fjordby stasjon', departure: new Date('2026-12-18T07:05:00Z') },
        { name: 'Dalen', arrival: new Date('2026-12-18T08:11:00Z'), departure: new Date('2026-12-18T08:13:00Z') },
        { name: 'Høgfjellet', arrival: new Date('2026-12-18T10:01:00Z'), departure: new Date('2026-12-18T10:05:00Z') },
        { name: 'Nordre Vestlandshavn terminal', arrival: new Date('2026-12-18T13:42:00Z') },
      ],
    },
    {
      mode: 'water',
      lineId: 'DEM:Line:9',
      departure: new Date('2026-12-18T22:10:00Z'),
      arrival: new Date('2026-12-18T23:20:00Z'),
      from: 'Nordre Vestlandshavn kai',
      to: 'Ytterøya',
      stops: [],
    },
  ],
};

const ZONE: LineView = {
  description: [{ lang: 'nob', value: 'Periodebillett 7 dager, sone 1–3' }],
  amountMinor: 31_900,
  travellerCount: 1,
  startOfValidity: new Date('2026-12-18T05:00:00Z'),
  endOfValidity: new Date('2026-12-25T05:00:00Z'),
  legs: [],
  seats: [],
};

export const OPEN: PageView = {
  ...PAGE,
  status: 'OPEN',
  expireAt: new Date('2026-12-17T11:30:00Z'),
  amountMinor: 111_700,
  currency: 'NOK',
  sellerName: 'Fjordbuss',
  timeZone: 'Europe/Oslo',
  language: 'nob',
  forms: [
    form('PAYMENTCARD', 'VISA', 'Visa'),
    form('PAYMENTCARD', 'MASTERCARD', 'Mastercard'),
    form('MOBILE', 'VIPPS', 'Vipps'),
  ],
  order: {
    lines: [TRAIN, ZONE],
    travellerCount: 4,
    fees: [{ type: 'BOOKING', amountMinor: 4_900 }],
    vat: [
      { basisPoints: 2_500, amountMinor: 4_900, taxMinor: 980 },
      { basisPoints: 1_200, amountMinor: 106_800, taxMinor: 11_443 },
    ],
    totalMinor: 111_700,
    totalTaxMinor: 12_423,
    paidMinor: 0,
  },
};

function form(paymentTypeGroup: string, paymentType: string, name: string): PageView['forms'][number] {
  return { paymentTypeGroup, paymentType, value: `${paymentTypeGroup}/${paymentType}`, name, formNonce: 'bm9uY2U' };
}

/** By the state's name in the titles of tests and pictures. */
export const STATES: Readonly<Record<string, Partial<PageView>>> = {
  open: {},
  refused: { lastAttempt: 'REFUSED' },
  cancelled: { lastAttempt: 'CANCELLED' },
  failed: { lastAttempt: 'FAILED' },
  'order changed': { lastAttempt: 'ORDER_CHANGED' },
  'no methods': { forms: [] },
  held: { forms: [], isHeld: true, amountMinor: 81_700, order: { ...OPEN.order, paidMinor: 30_000 } },
  'paid in part': { amountMinor: 81_700, order: { ...OPEN.order, paidMinor: 30_000 } },
  processing: { status: 'PROCESSING', forms: [] },
  paid: { status: 'PAID', forms: [] },
  undelivered: { status: 'PAID', forms: [], deliveryFailed: true },
  completed: { status: 'COMPLETED', forms: [] },
  unaddressed: { status: 'COMPLETED', forms: [], isUnaddressed: true },
  credited: { status: 'CREDITED', forms: [] },
  'credit outstanding': { status: 'CREDIT_OUTSTANDING', forms: [] },
};

export interface ToldPages {
  view: PageView | undefined;
  pay: Awaited<ReturnType<PaymentPageAccess['pay']>> | Error;
  returned: Awaited<ReturnType<PaymentPageAccess['returned']>>;
  readonly paid: unknown[];
  ended: number;
}

export function toldPages(): { readonly told: ToldPages; readonly pages: PaymentPageAccess } {
  const told: ToldPages = { view: OPEN, pay: { go: 'STOPPED' }, returned: { go: 'WAIT' }, paid: [], ended: 0 };
  const pages: PaymentPageAccess = {
    find: async (orderId, token) => (told.view && orderId === ORDER && token === TOKEN ? PAGE : undefined),
    view: async () => told.view,
    statusOf: async () => told.view?.status,
    pay: async (_page, sent) => {
      told.paid.push(sent);
      if (told.pay instanceof Error) throw told.pay;
      return told.pay;
    },
    endAttempt: async () => {
      told.ended += 1;
      return told.view?.status;
    },
    returned: async () => told.returned,
  };
  return { told, pages };
}

export interface PageServer extends RunningServer {
  readonly told: ToldPages;
}

export async function startPageServer(log: Logger = silentLog, now: () => number = Date.now): Promise<PageServer> {
  const { told, pages } = toldPages();
  const wrongLinks = new WrongLinks({ perMinute: 30, trustedProxies: parseProxies('127.0.0.1'), now });
  const router = createPageRouter({ pages, terminalOrigins: [TERMINAL], wrongLinks });
  const app = createApp({ areas: [], routers: [router], log });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 2_000, drainMs: 0 });
  return { ...server, told };
}
