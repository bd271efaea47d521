describe('pickup', () => {
  beforeEach(() => {
    cy.intercept('GET', '/api/queue*', { fixture: 'queue.json' }).as('queue')
    cy.visit('/shop/3')
    cy.wait('@queue')
  })

  it('lists what is due first', () => {
    cy.findAllByRole('listitem').first().should('contain', '07:15')
  })

  it('ticks an order off', () => {
    cy.intercept('POST', '/api/queue/881/done', { statusCode: 204 })
    cy.findByRole('button', { name: /hand over 881/i }).click()
    cy.findByText('881').should('have.class', 'line-through')
  })

  it('keeps the order when the server refuses', () => {
    cy.intercept('POST', '/api/queue/881/done', { statusCode: 409 })
    cy.findByRole('button', { name: /hand over 881/i }).click()
    cy.findByRole('alert').should('be.visible')
  })
})
