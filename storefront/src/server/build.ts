import { join } from 'node:path'
import { ensureBuilt as ensure } from '@purlin/web/build.ts'

/** Inputs of a build, relative to the storefront folder. */
export const sources = ['src', 'public', '../ui/src', '../web/src', '../contract/src', '../words/src', '../package-lock.json']

/** Builds the storefront into dist/ unless it is up to date. For `npm start` and `npm run build`. */
export function ensureBuilt(log?: (line: string) => void, dist?: string): Promise<{ built: boolean; version: string }> {
  return ensure({
    app: join(import.meta.dirname, '../..'),
    sources,
    client: 'src/client.ts',
    server: 'src/bundle.tsx',
    styles: 'src/styles.ts',
    sheets: { account: 'src/styles-account.ts', checkout: 'src/styles-checkout.ts', reading: 'src/styles-reading.ts' },
    constants: 'src/generated/documents.ts',
    publicDir: 'public',
    ...(log && { log }),
    ...(dist && { dist }),
  })
}
