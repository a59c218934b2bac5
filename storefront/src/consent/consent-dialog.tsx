import { Button } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { consentField } from './consent-form.ts'
import './consent.module.css'

/**
 * The same on every page, cached or not, and hidden until a script, or without scripts a style sheet of the server, finds
 * that this visitor has not chosen. Refusing takes as many clicks as accepting.
 */
export function ConsentDialog({ context: { t, pathname } }: { context: ShopContext }): ReactNode {
  const isOnItsPage = pathname === paths.privacyChoices()
  return (
    <Enhance with="consent">
      {isOnItsPage ? (
        <span hidden />
      ) : (
        <section data-consent-dialog="" aria-labelledby="ask">
          <noscript>
            <link rel="stylesheet" href="/api/v1/consent/dialog.css" />
          </noscript>
          <form method="post" action="/api/v1/consent">
            <div>
              <h2 id="ask">{t('consent.title')}</h2>
              <p>{t.rich('consent.ask', { link: (words) => <a href={paths.privacyChoices()}>{words}</a> })}</p>
              <div role="status">
                <p>{t('consent.failed')}</p>
              </div>
            </div>
            <div>
              <Button look="secondary" name={consentField('choice')} value="none">
                {t('consent.refuse')}
              </Button>
              <Button look="secondary" name={consentField('choice')} value="all">
                {t('consent.accept')}
              </Button>
            </div>
          </form>
        </section>
      )}
    </Enhance>
  )
}
