import { Button, ButtonLink, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import { PunchOutStartDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { startField } from './punch-out-form.ts'

export async function load(context: ShopContext) {
  const token = context.params['token'] ?? ''
  const { visit } = await context.client.query(PunchOutStartDocument, { token })
  const title = visit ? context.t('punch-out.start.title', { company: visit.companyName }) : context.t('punch-out.over.title')
  return { data: { visit, token }, title, robots: 'noindex', status: visit ? 200 : 410 }
}

/** The first page for a buyer from a purchasing system. Reading it uses nothing up: only the button starts the visit. */
export function Page({ data: { visit, token }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container narrow>
      <div className={styles.alone}>
        {visit ? (
          <>
            <h1>{t('punch-out.start.title', { company: visit.companyName })}</h1>
            <p>{t('punch-out.start.text', { company: visit.companyName, host: visit.returnsTo })}</p>
            {visit.buyer && <p>{t('punch-out.start.buyer', { buyer: visit.buyer })}</p>}
            <form method="post" action="/api/v1/punch-out/start">
              <input type="hidden" name={startField('token')} value={token} />
              <Button size="l">{t('punch-out.start.go')}</Button>
            </form>
            <p className={styles.quiet}>{t('punch-out.start.note')}</p>
          </>
        ) : (
          <>
            <h1>{t('punch-out.over.title')}</h1>
            <p>{t('punch-out.over.text')}</p>
            <p>
              <ButtonLink href={paths.homeB2B()} look="secondary">
                {t('error.home')}
              </ButtonLink>
            </p>
          </>
        )}
      </div>
    </Container>
  )
}
