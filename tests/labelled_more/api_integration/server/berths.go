package server

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "example.net/berth/gen/berthv1"
	"example.net/berth/quay"
)

type Berths struct {
	pb.UnimplementedBerthsServer
	Plan *quay.Plan
}

func (s *Berths) Reserve(ctx context.Context, in *pb.ReserveRequest) (*pb.Reservation, error) {
	if in.GetVessel() == "" || in.GetLengthCm() == 0 {
		return nil, status.Error(codes.InvalidArgument, "vessel and length are required")
	}
	if in.GetEta().AsTime().Before(time.Now()) {
		return nil, status.Error(codes.FailedPrecondition, "eta is past")
	}
	r, err := s.Plan.Hold(ctx, in.GetQuay(), in.GetVessel(), in.GetEta().AsTime(), int(in.GetLengthCm()))
	if err == quay.ErrFull {
		return &pb.Reservation{State: pb.State_STATE_REFUSED}, nil
	}
	if err != nil {
		return nil, status.Error(codes.Internal, "plan")
	}
	return &pb.Reservation{Id: r.ID, State: pb.State_STATE_HELD}, nil
}

func (s *Berths) Watch(in *pb.WatchRequest, out pb.Berths_WatchServer) error {
	ch, stop := s.Plan.Subscribe(in.GetQuays()...)
	defer stop()
	for {
		select {
		case <-out.Context().Done():
			return nil
		case c := <-ch:
			if err := out.Send(&pb.Change{Now: &pb.Reservation{Id: c.ID}, Why: c.Why}); err != nil {
				return err
			}
		}
	}
}
