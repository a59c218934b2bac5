import { Button } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './push.module.css'

/** The prompt for push messages, which a script puts into a page. */
export async function load({ t }: ShopContext) {
  return Promise.resolve({ data: null, title: t('push.title'), robots: 'noindex' })
}

export function Page({ context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <section data-push-prompt className={styles.prompt} aria-labelledby="push" data-done={t('push.done')}>
      <div className={styles.text}>
        <h2 id="push">{t('push.title')}</h2>
        <p>{t.rich('push.text', { link: (words) => <a href={paths.privacyChoices()}>{words}</a> })}</p>
      </div>
      <div className={styles.buttons}>
        <Button type="button" look="secondary" data-answer="no">
          {t('push.no')}
        </Button>
        <Button type="button" look="secondary" data-answer="yes">
          {t('push.yes')}
        </Button>
      </div>
    </section>
  )
}
