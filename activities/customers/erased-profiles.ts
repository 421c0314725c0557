/** The customers that are erased, whose keys a restore must not bring back. Caller: area.ts. */
import type { Connection } from 'mongoose';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { profileCollection } from './profile-document.ts';

export async function* listErasedCustomers(data: Connection): AsyncGenerator<SubjectId> {
  const erased = profileCollection(data).find({ status: 'ERASED' }, { projection: { _id: 1 } });
  for await (const { _id } of erased) yield CUSTOMER.subjectOf(_id);
}
