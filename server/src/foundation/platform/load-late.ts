import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** A package that few processes need, loaded when first used: some take tens of megabytes of each process that imports them. */
export function loadLate<Package>(name: 'stripe' | 'pdfkit' | 'nodemailer'): Package {
  return load(name) as Package
}
