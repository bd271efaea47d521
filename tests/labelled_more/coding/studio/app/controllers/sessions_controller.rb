class SessionsController < ApplicationController
  skip_before_action :require_member, only: %i[new create]
  rate_limit to: 8, within: 2.minutes, only: :create

  def new; end

  def create
    member = Member.find_by(email: params[:email].to_s.downcase.strip)
    if member&.authenticate(params[:password])
      return redirect_to(otp_path) if member.otp_enabled? && stash_pending(member)

      reset_session
      session[:member_id] = member.id
      cookies.signed[:remember] = { value: member.remember!, expires: 14.days, httponly: true } if params[:remember]
      redirect_to root_path
    else
      flash.now[:alert] = t(".wrong")
      render :new, status: :unprocessable_entity
    end
  end

  def destroy
    current_member&.forget!
    reset_session
    redirect_to new_session_path
  end

  private

  def stash_pending(member)
    session[:pending_member] = { id: member.id, until: 5.minutes.from_now.to_i }
  end
end
