/**
 * The differences between the kinds of items: how many a profile may hold, which profiles may hold them, and which
 * members are not sealed. Caller: the item store. Pure except for the nonces of sealing.
 */
import type { Sealing } from '../../platform/personal/sealing.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type {
  ECardContent,
  Item,
  ItemContent,
  ItemKind,
  LoyaltyProgram,
  PostalAddress,
  Preference,
} from './customer-types.ts';
import type { StoredItem } from './profile-document.ts';
import type { SearchKeys } from './search-keys.ts';

export interface ItemPlace {
  readonly organisationId: OrganisationId;
  readonly sealing: Sealing;
  readonly searchKeys: SearchKeys;
  readonly at: Date;
  /** The stored item that it replaces. */
  readonly before: StoredItem | undefined;
}

export interface ItemRules<K extends ItemKind> {
  /** Limit for one profile. */
  readonly limit: number;
  readonly ofTemporary: boolean;
  /** Present where the caller's own name for the item is its id. */
  readonly idOf?: (content: ItemContent<K>) => string;
  readonly store: (id: string, content: ItemContent<K>, place: ItemPlace) => StoredItem;
  readonly show: (stored: StoredItem, sealing: Sealing) => Item<K>;
  /** Keyed hashes of the content. */
  readonly keysOf?: (content: ItemContent<K>, place: HashPlace) => Pick<StoredItem, 'serialKey' | 'postCodeTerm'>;
}

export type HashPlace = Pick<ItemPlace, 'organisationId' | 'searchKeys'>;

const SERIAL_DIGITS = 10;

export const ITEM_RULES: { readonly [K in ItemKind]: ItemRules<K> } = {
  postalAddresses: {
    limit: 20,
    ofTemporary: true,
    store: (id, content, place) => ({
      id,
      sealed: place.sealing.seal(`postalAddresses/${id}`, content),
      ...addressKeys(content, place),
    }),
    keysOf: addressKeys,
    show: ({ id, sealed }, sealing) => ({ id, ...sealing.open<PostalAddress>(`postalAddresses/${id}`, sealed) }),
  },
  preferences: {
    limit: 200,
    ofTemporary: true,
    idOf: ({ key }) => key,
    store: (id, { value }, { sealing }) => ({ id, sealed: sealing.seal(`preferences/${id}`, { value }) }),
    show: ({ id, sealed }, sealing) => ({
      key: id,
      value: sealing.open<Pick<Preference, 'value'>>(`preferences/${id}`, sealed).value,
    }),
  },
  eCards: { limit: 20, ofTemporary: false, store: storeECard, show: showECard, keysOf: cardKeys },
  loyaltyPrograms: {
    limit: 50,
    ofTemporary: false,
    store: (id, content, { sealing }) => ({ id, sealed: sealing.seal(`loyaltyPrograms/${id}`, content) }),
    show: ({ id, sealed }, sealing) => ({ id, ...sealing.open<LoyaltyProgram>(`loyaltyPrograms/${id}`, sealed) }),
  },
};

function addressKeys({ postCode }: PostalAddress, { organisationId, searchKeys }: HashPlace) {
  return { postCodeTerm: searchKeys.term(organisationId, 'postCode', postCode) };
}

function cardKeys({ mediaSerialNumber }: ECardContent, { organisationId, searchKeys }: HashPlace) {
  return { serialKey: searchKeys.hash(organisationId, 'cardSerial', mediaSerialNumber.padStart(SERIAL_DIGITS, '0')) };
}

/** With another serial number the ownership begins now. */
function storeECard(id: string, content: ECardContent, { at, before, ...place }: ItemPlace): StoredItem {
  const { mediaSerialNumber, issuerCode, name } = content;
  const { serialKey } = cardKeys(content, place);
  const startOfOwnership = before?.serialKey === serialKey ? before.startOfOwnership : undefined;
  return {
    id,
    sealed: place.sealing.seal(`eCards/${id}`, { mediaSerialNumber, issuerCode, name }),
    serialKey,
    startOfOwnership: startOfOwnership ?? at,
  };
}

function showECard({ id, sealed, startOfOwnership = new Date(0) }: StoredItem, sealing: Sealing): Item<'eCards'> {
  const content = sealing.open<ECardContent>(`eCards/${id}`, sealed);
  const cardNumber = content.issuerCode + content.mediaSerialNumber.padStart(SERIAL_DIGITS, '0');
  return { id, ...content, cardNumber, startOfOwnership };
}
