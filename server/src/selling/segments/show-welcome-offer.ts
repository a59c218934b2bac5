import { usesLeft } from '#cart'
import { platformConfig } from '#flags'
import type { Scope } from '#platform'
import { belongsTo } from './belongs-to.ts'

/** `welcome-offer-hvc` for the viewer: null for everybody but customers of high value, and for those who have used it. */
export async function showWelcomeOffer(scope: Scope) {
  if (!(await belongsTo(scope, 'high-value'))) return null
  const config = await platformConfig(scope)
  const offer = config.state === 'set' ? config.values['welcome-offer-hvc'] : null
  return offer && (await usesLeft(scope, offer.code)) > 0 ? offer : null
}
