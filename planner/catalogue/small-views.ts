/** Reads the kinds with few entities whole, as plain objects. */
import type { Authority, GroupOfLines, Notice, Operator, TariffZone } from '../model/entities.ts';
import type {
  AuthorityIndex,
  GroupOfLinesIndex,
  NoticeIndex,
  OperatorIndex,
  TariffZoneIndex,
} from '../model/indices.ts';
import type { CatalogueReader } from './reader.ts';

export function authorityOf({ tables: { authority: table } }: CatalogueReader, index: AuthorityIndex): Authority {
  return {
    index,
    id: table.id.at(index) ?? '',
    name: table.name.at(index) ?? '',
    url: table.url.at(index),
    phone: table.phone.at(index),
    language: table.language.at(index),
    timeZone: table.timeZone.at(index) ?? '',
  };
}

export function operatorOf({ tables: { operator: table } }: CatalogueReader, index: OperatorIndex): Operator {
  return {
    index,
    id: table.id.at(index) ?? '',
    name: table.name.at(index) ?? '',
    url: table.url.at(index),
    phone: table.phone.at(index),
  };
}

export function groupOfLinesOf(
  { tables: { groupOfLines: table } }: CatalogueReader,
  index: GroupOfLinesIndex,
): GroupOfLines {
  return {
    index,
    id: table.id.at(index) ?? '',
    name: table.name.at(index),
    shortName: table.shortName.at(index),
    description: table.description.at(index),
    privateCode: table.privateCode.at(index),
  };
}

export function noticeOf({ tables: { notice: table } }: CatalogueReader, index: NoticeIndex): Notice {
  return { index, id: table.id.at(index) ?? '', text: table.text.at(index), publicCode: table.publicCode.at(index) };
}

export function tariffZoneOf({ tables: { tariffZone: table } }: CatalogueReader, index: TariffZoneIndex): TariffZone {
  return { index, id: table.id.at(index) ?? '', name: table.name.at(index) };
}
