import { useSurroundings } from '@purlin/web/island.tsx'
import type { Translate } from '@purlin/web/i18n.ts'
import type { MessageKey } from '../messages/keys.ts'
import type { SiteFacts } from './context.ts'

/**
 * Words and facts of the site, in pages and islands alike. In an island, words shown at once travel along by
 * themselves; those needed later are named in `<Island messages={[…]}>`.
 */
export function useShop(): { t: Translate<MessageKey>; site: SiteFacts } {
  const { t, site } = useSurroundings()
  return { t: t as Translate<MessageKey>, site: site as SiteFacts }
}
