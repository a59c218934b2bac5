import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, textOf } from '../testing/shop.ts'

test('R-276 the survey asks for a score, says where it is missing, keeps the reason, and leads on once it is answered', async () => {
  const asks = await pageOf({}, '/survey')
  for (const part of ['Would you recommend us?', '0 = not at all, 10 = certainly']) assert.ok(textOf(asks.body).includes(part), part)
  const unscored = await pageOf({}, '/survey', { form: { comment: 'Quick delivery' } })
  assert.equal(unscored.status, 422)
  assert.match(unscored.body, /autofocus[^>]*>.*<a href="#score">Please choose one of the options\./s)
  assert.match(unscored.body, /<fieldset[^>]*id="score" aria-describedby="score-hint score-error"/)
  assert.match(unscored.body, />Quick delivery<\/textarea>/)
  const refusal = { reason: 'review-invalid', message: 'Please check your answer.', fields: [] }
  const refused = await pageOf({ answerSurvey: { id: null, isPending: null, refusal } }, '/survey', { form: { score: '9', comment: '' } })
  assert.match(refused.body, /role="alert"[^>]*autofocus[^>]*>.*Please check your answer\./s)
  assert.match(refused.body, /value="9"[^>]*checked|checked[^>]*value="9"/)
  const sent = await pageOf({ answerSurvey: { id: null, isPending: false, refusal: null } }, '/survey', {
    form: { score: '9', comment: '' },
  })
  assert.deepEqual([sent.status, sent.headers['location']], [303, '/survey?done=1'])
  const thanks = await pageOf({}, '/survey?done=1')
  for (const part of ['Thank you.', 'Continue shopping']) assert.ok(textOf(thanks.body).includes(part), part)
})
