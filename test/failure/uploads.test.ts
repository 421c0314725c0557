/** Uploads real and hostile archives to one running service: neither kind ends a part of it. */
import { Service } from '../support/service.ts';
import { describeHostileUploads } from './hostile-uploads.ts';
import { describeReferenceUploads } from './reference-uploads.ts';

describe('a running service', () => {
  let service: Service;

  before(async () => {
    service = await Service.start();
  });
  after(() => service?.stop());

  describeReferenceUploads(() => service);
  describeHostileUploads(() => service);
});
