/** Metric of the TLS certificate in use: seconds until it expires. Without a certificate the metric has no value. */
import { Gauge, type Registry } from 'prom-client';

export function watchCertificate(registry: Registry, certificate: { readonly validTo: Date } | undefined): void {
  const gauge = new Gauge({
    name: 'service_tls_certificate_left_seconds',
    help: 'Until the certificate in use expires; negative after that. No value where a proxy serves TLS',
    registers: [registry],
    collect() {
      if (certificate) this.set((certificate.validTo.getTime() - Date.now()) / 1_000);
    },
  });
  if (!certificate) gauge.remove();
}
