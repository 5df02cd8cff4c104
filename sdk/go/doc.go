// Package cardpit is for bots that play cards on Cardpit: write a [Bot], then call [Run] in main.
package cardpit

//go:generate protoc -I ../../proto --go_out=. --go_opt=module=cardpit,Mcardpit/v1/referee.proto=cardpit/v1;cardpitv1 --go-grpc_out=. --go-grpc_opt=module=cardpit,Mcardpit/v1/referee.proto=cardpit/v1;cardpitv1 cardpit/v1/referee.proto
