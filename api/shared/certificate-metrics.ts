/** How long the TLS certificate in use still holds, of a process that serves TLS itself. Others have the figure without a value. */
import { Gauge, type Registry } from 'prom-client';

export function watchCertificate(registry: Registry, certificate: { readonly validTo: Date } | undefined): void {
  const gauge = new Gauge({
    name: 'service_tls_certificate_left_seconds',
    help: 'Until the certificate in use ends; below 0 when it has ended. None where TLS is served in front',
    registers: [registry],
    collect() {
      if (certificate) this.set((certificate.validTo.getTime() - Date.now()) / 1_000);
    },
  });
  if (!certificate) gauge.remove();
}
